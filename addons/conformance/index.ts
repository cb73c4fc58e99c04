export * from './calibration/index.js';
export { type CheckHarOptions, checkHar, type HarFinding, type HarReport } from './check-har.js';
export type { LimitedCredential } from './harness.js';
export { formatHarJUnit, formatHarText, formatJUnit, formatResult, formatText } from './report.js';
export {
  type ConformanceOptions,
  type ConformanceReport,
  type ConformanceResult,
  runConformance,
} from './run.js';
