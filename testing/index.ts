export { type ClientWith, fixtures, type WorktrackFixtures } from './fixtures.js';
export { matchers, type WorktrackMatchers } from './matchers.js';
