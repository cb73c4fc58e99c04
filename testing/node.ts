export { type ClientWith, fixtures, type WorktrackFixtures, withFixtures } from './fixtures.js';
export {
  type MatcherResult,
  matchers,
  type ReceivedRequests,
  type SurvivalReport,
  type WorktrackMatchers,
} from './matchers.js';
