import { counted } from '../src/shared/count.js';
import { formatJUnit } from '../src/shared/junit.js';
import type { HarFinding, HarReport } from './check-har.js';

/** Formats a report as text: the problems, the notes, and the totals. */
export const formatHarText = (report: HarReport): string =>
  [
    ...report.problems.map((finding) => `✗ ${describeFinding(finding)}`),
    ...report.notes.map((finding) => `– ${describeFinding(finding)}`),
    formatHarSummary(report),
  ].join('\n');

/** Formats a report's totals as one line. */
export function formatHarSummary({
  entries,
  operations,
  ignored,
  withoutBody,
  problems,
  notes,
}: HarReport): string {
  const checked = Object.values(operations).reduce((sum, count) => sum + count, 0);
  const counts = [
    `${counted(checked, 'request')} for ${counted(Object.keys(operations).length, 'operation')}`,
    ...(withoutBody > 0 ? [`${withoutBody} without a recorded response body`] : []),
    `${ignored} of ${counted(entries, 'entry', 'entries')} ignored`,
    counted(problems.length, 'problem'),
    counted(notes.length, 'note'),
  ];
  return counts.join(', ');
}

/** Formats a report as JUnit XML, with a test case for each recorded operation. Notes aren't included. */
export const formatHarJUnit = ({ operations, problems }: HarReport): string =>
  formatJUnit(
    'worktrack drift',
    Object.entries(operations).map(([operation, requests]) => {
      const own = problems.filter((problem) => problem.operation === operation);
      const message = own.map(describeFinding).join('\n');
      return {
        group: operation,
        name: `${counted(requests, 'recorded request')} match the contract`,
        problem: own.length > 0 ? { kind: 'failure', message } : undefined,
      };
    }),
  );

function describeFinding({ operation, part, message, count: times, firstEntry }: HarFinding): string {
  const where = times === 1 ? `entry ${firstEntry}` : `${times} times, first in entry ${firstEntry}`;
  return `${operation ? `${operation} ` : ''}${part}: ${message} (${where})`;
}
