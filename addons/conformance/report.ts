import { counted } from '../../src/internal.js';
import { formatJUnit as formatCases } from '../shared/junit.js';
import { groupBy } from '../shared/lists.js';
import type { HarFinding, HarReport } from './check-har.js';
import type { ConformanceReport, ConformanceResult } from './run.js';
import type { SettingsReport } from './settings.js';

const marks: Readonly<Record<ConformanceResult['outcome'], string>> = {
  pass: '✓',
  fail: '✗',
  not_checkable: '–',
};

/** Formats a rule's result as one line, followed by the reason if the rule didn't pass. */
export function formatResult(result: ConformanceResult): string {
  const { operation, outcome, message } = result;
  const reason = message === undefined ? '' : `\n    ${message}`;
  return `${marks[outcome]} ${operation} ${titleOf(result)}${reason}`;
}

/**
 * Formats a report as text: the rules that didn't pass, the records that couldn't be deleted, and the totals.
 */
export function formatText(report: ConformanceReport): string {
  const failed = report.results.filter(({ outcome }) => outcome === 'fail').map(formatResult);
  const leftoverLines = report.undeletedRecords.map((line) => `! could not be deleted: ${line}`);
  return [...failed, ...formatNotCheckable(report), ...leftoverLines, formatSummary(report)].join('\n');
}

/** If more than three rules have the same reason, combines them into one entry. */
function formatNotCheckable({ results }: ConformanceReport): string[] {
  const notCheckable = results.filter(({ outcome }) => outcome === 'not_checkable');
  return [...groupBy(notCheckable, ({ message = '' }) => message)].flatMap(([reason, same]) =>
    same.length > 3 ? [`${marks.not_checkable} ${same.length} rules\n    ${reason}`] : same.map(formatResult),
  );
}

/** Formats a report's totals as one line. */
export function formatSummary(report: ConformanceReport): string {
  const { baseUrl, passed, failed, notCheckable, results, requests } = report;
  return `${baseUrl}: ${results.length} rules (${requests} requests), ${passed} passed, ${failed} failed, ${notCheckable} not checkable`;
}

/** Formats a report as JUnit XML, which CI systems can display. */
export const formatJUnit = ({ results }: ConformanceReport): string =>
  formatCases(
    'worktrack conformance',
    results.map((result) => {
      const { operation, outcome, message = '', duration } = result;
      const kind = outcome === 'fail' ? 'failure' : 'skipped';
      return {
        group: operation,
        name: titleOf(result),
        time: duration / 1000,
        problem: outcome === 'pass' ? undefined : { kind, message },
      };
    }),
  );

const titleOf = ({ title, basis }: ConformanceResult) =>
  `${title}${basis === 'optional' ? ' [optional]' : ''}`;

/** Formats the settings that a deployment needs, what couldn't be determined, and what no setting expresses. */
export function formatSettings({
  deployment,
  undetermined,
  requests,
  undeletedRecords,
}: SettingsReport): string {
  const { notExpressed = [], ...settings } = deployment;
  return [
    ...Object.entries(settings).map(([name, value]) => `✓ ${name}: ${JSON.stringify(value)}`),
    ...Object.entries(undetermined).map(([name, reason]) => `– ${name}: unknown: ${reason}`),
    ...notExpressed.map((line) => `✗ no setting expresses: ${line}`),
    ...undeletedRecords.map((line) => `! could not be deleted: ${line}`),
    `${counted(Object.keys(settings).length, 'setting')} (${counted(requests, 'request')}), ${Object.keys(undetermined).length} unknown, ${counted(notExpressed.length, 'difference')} that no setting expresses`,
  ].join('\n');
}

/** Formats a report about recorded traffic as text: the problems, the notes, and the totals. */
export const formatHarText = (report: HarReport): string =>
  [
    ...report.problems.map((finding) => `✗ ${describeFinding(finding)}`),
    ...report.notes.map((finding) => `– ${describeFinding(finding)}`),
    formatHarSummary(report),
  ].join('\n');

/** Formats the totals of a report about recorded traffic as one line. */
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

/** Formats a report about recorded traffic as JUnit XML, with a test case for each operation. Notes aren't included. */
export const formatHarJUnit = ({ operations, problems }: HarReport): string =>
  formatCases(
    'worktrack conformance --har',
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
  return `${operation} ${part}: ${message} (${where})`;
}
