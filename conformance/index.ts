export type { LimitedCredential } from './harness.js';
export { formatJUnit, formatResult, formatText } from './report.js';
export {
  type ConformanceOptions,
  type ConformanceReport,
  type ConformanceResult,
  runConformance,
} from './run.js';
