export type { MswHandlers } from './handlers.js';
export {
  createMockServer,
  type MockClientOptions,
  MockServer,
  type MockServerOptions,
} from './mock-server.js';
export { SeedError } from './seed/seed-error.js';
export type {
  BoardSeed,
  CredentialSeed,
  DocumentSeed,
  LabelSeed,
  OrganizationSeed,
  ProjectSeed,
  TagSeed,
  TicketSeed,
  UserSeed,
  World,
} from './seed/world.js';
export type { Clock, Instant } from './state/clock.js';
export type { Snapshot } from './state/state.js';
export type { CredentialView, Records, StateView } from './state-view.js';
