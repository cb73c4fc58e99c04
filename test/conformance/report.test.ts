import { expect, test } from 'vitest';
import {
  type ConformanceReport,
  type ConformanceResult,
  formatJUnit,
  formatResult,
  formatText,
} from 'worktrack/conformance';

const result = (
  title: string,
  outcome: ConformanceResult['outcome'],
  rest: Partial<ConformanceResult> = {},
): ConformanceResult => ({
  operation: 'boards.list',
  title,
  basis: 'specification',
  outcome,
  duration: 1500,
  ...rest,
});

const reportOf = (results: ConformanceResult[], undeletedRecords: string[] = []): ConformanceReport => ({
  baseUrl: 'https://tracker.example',
  passed: results.filter(({ outcome }) => outcome === 'pass').length,
  failed: results.filter(({ outcome }) => outcome === 'fail').length,
  notCheckable: results.filter(({ outcome }) => outcome === 'not_checkable').length,
  requests: 40,
  results,
  mark: 'testmark',
  undeletedRecords,
});

const report = reportOf(
  [
    result('returns the boards (200)', 'pass'),
    result('rejects "x" & \'y\' (422)', 'fail', {
      message: 'expected <422>,\ngot 200\u0000\u0008\u001f',
      duration: 20,
    }),
    result('returns no boards', 'fail', { basis: 'optional', message: 'boards: expected []' }),
    result('lists boards', 'not_checkable', { message: 'the budget is used up' }),
  ],
  ['projects.delete one: 500', 'documents.delete two: 429'],
);

test("formatText lists failed rules, rules that couldn't be checked, undeleted records, and the totals", () => {
  expect(formatText(report)).toBe(
    [
      '✗ boards.list rejects "x" & \'y\' (422)',
      '    expected <422>,',
      'got 200\u0000\u0008\u001f',
      '✗ boards.list returns no boards [optional]',
      '    boards: expected []',
      '– boards.list lists boards',
      '    the budget is used up',
      '! could not be deleted: projects.delete one: 500',
      '! could not be deleted: documents.delete two: 429',
      'https://tracker.example: 4 rules (40 requests), 1 passed, 2 failed, 1 not checkable',
    ].join('\n'),
  );
});

test('formatText groups rules if more than three of them have the same reason', () => {
  const skipped = (title: string, message?: string) =>
    result(title, 'not_checkable', message === undefined ? {} : { message });
  const same = ['one', 'two', 'three', 'four'].map((title) => skipped(title, 'no scope'));
  const others = ['five', 'six', 'seven'].map((title) => skipped(title));

  expect(formatText(reportOf([...same, ...others]))).toBe(
    [
      '– 4 rules',
      '    no scope',
      '– boards.list five',
      '– boards.list six',
      '– boards.list seven',
      'https://tracker.example: 7 rules (40 requests), 0 passed, 0 failed, 7 not checkable',
    ].join('\n'),
  );
});

test('formatResult formats a passing rule as one line', () => {
  expect(formatResult(result('returns the boards (200)', 'pass'))).toBe(
    '✓ boards.list returns the boards (200)',
  );
});

test("formatJUnit lists every rule with its duration in seconds, and escapes characters that XML doesn't allow", () => {
  expect(formatJUnit(report)).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuite name="worktrack conformance" tests="4" failures="2" skipped="1">',
      '  <testcase classname="boards.list" name="returns the boards (200)" time="1.5"/>',
      '  <testcase classname="boards.list" name="rejects &quot;x&quot; &amp; \'y\' (422)" time="0.02">' +
        '<failure message="expected &lt;422&gt;,&#10;got 200"/></testcase>',
      '  <testcase classname="boards.list" name="returns no boards [optional]" time="1.5">' +
        '<failure message="boards: expected []"/></testcase>',
      '  <testcase classname="boards.list" name="lists boards" time="1.5">' +
        '<skipped message="the budget is used up"/></testcase>',
      '</testsuite>',
      '',
    ].join('\n'),
  );
});

test('formatJUnit writes an empty message if a result has none', () => {
  expect(formatJUnit(reportOf([result('lists boards', 'fail', { message: undefined as never })]))).toContain(
    '<failure message=""/>',
  );
});
