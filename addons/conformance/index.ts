export { checkHar, type HarFinding, type HarReport } from './check-har.js';
export type { LimitedCredential } from './harness.js';
export {
  formatHarJUnit,
  formatHarText,
  formatJUnit,
  formatResult,
  formatSettings,
  formatText,
} from './report.js';
export {
  type ConformanceOptions,
  type ConformanceReport,
  type ConformanceResult,
  runConformance,
} from './run.js';
export { compareSettings, findSettings, type SettingsReport } from './settings.js';
