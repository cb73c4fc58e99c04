import { choiceIds } from '../../../mock-server/deployment/choices.js';
import { formatJUnit as formatCases } from '../../shared/junit.js';
import { groupBy } from '../../shared/lists.js';
import type { Calibration } from './calibrate.js';

/** A difference between a baseline and a deployment's current behavior. */
export interface Change {
  kind: 'choice' | 'rule' | 'shape';
  /** The subject of the change, such as `the order of tickets`. */
  subject: string;
  /** Descriptions of the previous and the current behavior. */
  before: string;
  after: string;
}

/** An observation in the baseline or in the current run that can't be compared. */
export interface NotCompared {
  kind: Change['kind'];
  subject: string;
  reason: string;
  /** Whether the baseline contains the observation and the current run should have made it, but couldn't. */
  isLost: boolean;
}

export interface DriftReport {
  changes: Change[];
  notCompared: NotCompared[];
  /** The observations that are the same in the baseline and the current run. */
  unchanged: { kind: Change['kind']; subject: string }[];
}

/**
 * Formats a drift report as text: the changes, the observations that couldn't be compared, and the totals.
 */
export function formatDrift(report: DriftReport): string {
  return [
    ...report.changes.map(formatChange),
    ...formatNotCompared(report.notCompared),
    formatDriftSummary(report),
  ].join('\n');
}

const formatChange = ({ subject, before, after }: Change): string =>
  `✗ ${subject}\n    before: ${before}\n    now:    ${after}`;

/** If more than three entries have the same reason, combines them into one line. */
function formatNotCompared(entries: readonly NotCompared[]): string[] {
  return [...groupBy(entries, ({ kind, reason }) => `${kind}: ${reason}`).values()].flatMap((same) => {
    const { kind, reason } = same[0] as NotCompared;
    const names = same.length > 3 ? [`${same.length} ${kind}s`] : same.map(({ subject }) => subject);
    return names.map((name) => `– not compared: ${name}\n    ${reason}`);
  });
}

/** Formats the totals of a drift report as one line. */
export const formatDriftSummary = ({ changes, notCompared, unchanged }: DriftReport): string =>
  `${unchanged.length} unchanged, ${changes.length} changed, ${notCompared.length} not compared`;

/** Formats a drift report as JUnit XML. Observations that couldn't be compared are skipped tests. */
export const formatDriftJUnit = ({ changes, notCompared, unchanged }: DriftReport): string =>
  formatCases('worktrack drift', [
    ...changes.map(({ kind, subject, before, after }) => ({
      group: kind,
      name: subject,
      problem: { kind: 'failure' as const, message: `before: ${before}; now: ${after}` },
    })),
    ...notCompared.map(({ kind, subject, reason }) => ({
      group: kind,
      name: subject,
      problem: { kind: 'skipped' as const, message: `not compared: ${reason}` },
    })),
    ...unchanged.map(({ kind, subject }) => ({ group: kind, name: subject })),
  ]);

/**
 * Formats the result of a calibration as text: behavior that can't be emulated, behavior that's unknown, and
 * the totals.
 */
export function formatCalibration({ deployment, requests, undeletedRecords }: Calibration): string {
  const { choices, notEmulated, rules, shapes } = deployment;
  const unknown = choiceIds.flatMap((id) => {
    const choice = choices[id];
    return 'unknown' in choice ? [{ id, reason: choice.unknown }] : [];
  });
  const counts = [
    `${choiceIds.length - unknown.length} of ${choiceIds.length} choices observed`,
    `${Object.values(rules).filter((rule) => rule === 'same').length} of ${Object.keys(rules).length} rules emulated`,
    `the fields of ${Object.keys(shapes).length} operations recorded`,
  ];
  return [
    ...notEmulated.map((limit) => `✗ not emulated: ${limit}`),
    ...[...groupBy(unknown, ({ reason }) => reason)].map(
      ([reason, same]) => `– unknown: ${same.map(({ id }) => id).join(', ')}\n    ${reason}`,
    ),
    ...undeletedRecords.map((line) => `! could not be deleted: ${line}`),
    `${counts.join(', ')} (${requests} requests)`,
  ].join('\n');
}
