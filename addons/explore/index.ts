export {
  allOrNothing,
  type Check,
  type CheckContext,
  converges,
  keepsInterference,
  noDuplicates,
  noUnhandledRejections,
  type Rerun,
  type StateOptions,
  sameStateAsCleanRun,
  succeeds,
} from './checks.js';
export { exploreFaults } from './explore.js';
export type { ExploredRequest, Failure, FailureKind, FaultKind } from './failures.js';
export type { Interference, InterferenceKind } from './interference.js';
export type { ExploreOptions, Workflow, WorkflowContext } from './options.js';
export type { ExplorationReport, FailedRun, Problem } from './report.js';
export type { RecordsByKind } from './state.js';
