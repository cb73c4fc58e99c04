import { formatJUnit as formatCases } from '../src/shared/junit.js';
import type { ConformanceReport, ConformanceResult } from './run.js';

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
  const byReason = new Map<string, ConformanceResult[]>();
  for (const result of results) {
    if (result.outcome !== 'not_checkable') continue;
    const reason = result.message ?? '';
    byReason.set(reason, [...(byReason.get(reason) ?? []), result]);
  }
  return [...byReason].flatMap(([reason, same]) =>
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
