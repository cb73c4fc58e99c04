export { controlSweeps, type Sweep } from './control-sweeps.js';
export * from './explore/index.js';
export { type ClientWith, fixtures, type WorktrackFixtures, withFixtures } from './fixtures.js';
export { type MatcherResult, matchers, type ReceivedRequests, type WorktrackMatchers } from './matchers.js';
export { type OpenSnapshot, type SnapshotRequirement, snapshotContract } from './snapshot-contract.js';
