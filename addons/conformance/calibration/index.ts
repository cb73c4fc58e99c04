export { type Calibration, type CalibrationOptions, calibrate } from './calibrate.js';
export { findDrift } from './drift.js';
export {
  type Change,
  type DriftReport,
  formatCalibration,
  formatDrift,
  formatDriftJUnit,
  formatDriftSummary,
  type NotCompared,
} from './report.js';
