export * from './explore/index.js';
export { type ClientWith, fixtures, type WorktrackFixtures } from './fixtures.js';
export { matchers, type WorktrackMatchers } from './matchers.js';
export { type PlaywrightFixtures, type PlaywrightWorkerFixtures, playwrightFixtures } from './playwright.js';
export { type OpenSnapshot, type SnapshotRequirement, snapshotContract } from './snapshot-contract.js';
export type { PlaywrightSpace, SpaceHost, SpaceOptions } from './space-host.js';
