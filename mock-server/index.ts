export type { Builders } from './controls/builders.js';
export type { Credentials, NewCredential } from './controls/credentials.js';
export {
  errorResponse,
  type Override,
  type OverrideCall,
  type OverrideOptions,
} from './controls/overrides.js';
export type { CredentialView, Records, StateView } from './controls/state-view.js';
export type { Deployment, DeploymentSettings, SettingName } from './deployment/deployment.js';
export { deploymentWire } from './deployment/emulation.js';
export type { ErrorEnvelope } from './deployment/envelopes.js';
export {
  ConnectionFault,
  type Fault,
  type FaultEffect,
  type FaultError,
  type FaultSelection,
} from './faults/fault.js';
export type { FaultHandle, Faults } from './faults/faults.js';
export type { RateLimitOptions } from './faults/rate-limit.js';
export type { RecordedRequest } from './journal/entry.js';
export type { Har, HarEntry, HarField } from './journal/har.js';
export type { Journal } from './journal/journal.js';
export type { Expected, ExpectedRequest } from './journal/match.js';
export { RequestList } from './journal/request-list.js';
export type { ScopeUse } from './journal/scopes.js';
export { createMockServer, type MockServer } from './mock-server.js';
export { type MswHandlers, type MswOptions, UnhandledRequestError } from './msw.js';
export type { MockClientOptions } from './options/client-options.js';
export type { MockServerOptions } from './options/server-options.js';
export type { RulePage, RuleResult } from './rules/rule.js';
export { SeedError } from './seed/seed-error.js';
export type {
  BoardSeed,
  CommentSeed,
  CredentialSeed,
  DocumentSeed,
  LabelSeed,
  NotificationSeed,
  OrganizationSeed,
  ProjectSeed,
  TagSeed,
  TicketSeed,
  UserSeed,
  World,
  WorldSettings,
} from './seed/world.js';
export type { Clock, ClockTime } from './state/clock.js';
export type { BoardTemplate, SlugRules, SlugStyle } from './state/rows.js';
export type { Snapshot } from './state/state.js';
export type { StateDump } from './state/state-dump.js';
