import { choiceIds } from '../mock-server/deployment/choices.js';
import { formatJUnit as formatCases } from '../src/shared/junit.js';
import type { Calibration } from './calibrate.js';
import type { Change, DriftReport, NotCompared } from './drift-report.js';

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
  const byReason = new Map<string, string[]>();
  for (const { kind, subject, reason } of entries) {
    const key = `${kind}: ${reason}`;
    byReason.set(key, [...(byReason.get(key) ?? []), subject]);
  }
  return [...byReason].flatMap(([key, subjects]) => {
    const [kind = '', ...reason] = key.split(': ');
    const names = subjects.length > 3 ? [`${subjects.length} ${kind}s`] : subjects;
    return names.map((name) => `– not compared: ${name}\n    ${reason.join(': ')}`);
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
 * Formats a calibration's result: behavior that can't be emulated, behavior that's unknown, and the totals.
 */
export function formatCalibration({ deployment, requests, undeletedRecords }: Calibration): string {
  const { choices, notEmulated, rules, shapes } = deployment;
  const unknown = new Map<string, string[]>();
  for (const id of choiceIds) {
    const choice = choices[id];
    if ('unknown' in choice) unknown.set(choice.unknown, [...(unknown.get(choice.unknown) ?? []), id]);
  }
  const unknownCount = [...unknown.values()].flat().length;
  const counts = [
    `${choiceIds.length - unknownCount} of ${choiceIds.length} choices observed`,
    `${Object.values(rules).filter((rule) => rule === 'same').length} of ${Object.keys(rules).length} rules emulated`,
    `the fields of ${Object.keys(shapes).length} operations recorded`,
  ];
  return [
    ...notEmulated.map((limit) => `✗ not emulated: ${limit}`),
    ...[...unknown].map(([reason, ids]) => `– unknown: ${ids.join(', ')}\n    ${reason}`),
    ...undeletedRecords.map((line) => `! could not be deleted: ${line}`),
    `${counts.join(', ')} (${requests} requests)`,
  ].join('\n');
}
