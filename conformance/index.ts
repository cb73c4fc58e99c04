export { type CheckHarOptions, checkHar, type HarFinding, type HarReport } from './check-har.js';
export { formatHarJUnit, formatHarText } from './har-report.js';
export type { LimitedCredential } from './harness.js';
export { formatJUnit, formatResult, formatText } from './report.js';
export {
  type ConformanceOptions,
  type ConformanceReport,
  type ConformanceResult,
  runConformance,
} from './run.js';
