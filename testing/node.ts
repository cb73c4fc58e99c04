export { type ClientWith, fixtures, type WorktrackFixtures, withFixtures } from './fixtures.js';
export { type MatcherResult, matchers, type ReceivedRequests, type WorktrackMatchers } from './matchers.js';
