import type { ConformanceReport, ConformanceResult } from './run.js';

const marks = { pass: '✓', fail: '✗', not_checkable: '–' } as const;

/** A line for a rule, and why it did not pass. */
export const formatResult = ({ operation, title, basis, outcome, message }: ConformanceResult): string =>
  `${marks[outcome]} ${operation} ${title}${basis === 'choice' ? ' [choice]' : ''}${message === undefined ? '' : `\n    ${message}`}`;

/** The report as a person reads it: what did not pass, and the sums. */
export function formatText(report: ConformanceReport): string {
  const open = report.results.filter(({ outcome }) => outcome !== 'pass').map(formatResult);
  return [...open, summary(report)].join('\n');
}

export const summary = ({ baseUrl, passed, failed, notCheckable, results }: ConformanceReport): string =>
  `${baseUrl}: ${results.length} rules, ${passed} passed, ${failed} failed, ${notCheckable} not checkable`;

/** The report as JUnit's XML, which CI systems show. */
export function formatJUnit({ results, failed, notCheckable }: ConformanceReport): string {
  const cases = results.map(({ operation, title, outcome, message = '', duration }) => {
    const open = `  <testcase classname="${attribute(operation)}" name="${attribute(title)}" time="${duration / 1000}"`;
    if (outcome === 'pass') return `${open}/>`;
    const tag = outcome === 'fail' ? 'failure' : 'skipped';
    return `${open}><${tag} message="${attribute(message)}"/></testcase>`;
  });
  const counts = `tests="${results.length}" failures="${failed}" skipped="${notCheckable}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="worktrack conformance" ${counts}>\n${cases.join('\n')}\n</testsuite>\n`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Text in an attribute, without the control characters that XML has no way to write. */
const attribute = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '')
    .replace(/[&<>"\n]/g, (character) => entities[character] ?? '');
