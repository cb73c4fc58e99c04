export { type Calibration, type CalibrationOptions, calibrate } from './calibrate.js';
export { findDrift } from './drift.js';
export type { Change, DriftReport, NotCompared } from './drift-report.js';
export { formatCalibration, formatDrift, formatDriftJUnit, formatDriftSummary } from './report.js';
