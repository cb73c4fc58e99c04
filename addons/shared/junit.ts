/** A test case in a JUnit report. */
export interface JUnitCase {
  group: string;
  name: string;
  /** The duration in seconds. */
  time?: number;
  /** Why the test failed or was skipped. Omitted if the test passed. */
  problem?: { kind: 'failure' | 'skipped'; message: string } | undefined;
}

/** Formats results as JUnit XML, which CI systems can display. */
export function formatJUnit(suite: string, cases: readonly JUnitCase[]): string {
  const lines = cases.map(({ group, name, time, problem }) => {
    const duration = time === undefined ? '' : ` time="${time}"`;
    const open = `  <testcase classname="${attribute(group)}" name="${attribute(name)}"${duration}`;
    if (!problem) return `${open}/>`;
    return `${open}><${problem.kind} message="${attribute(problem.message)}"/></testcase>`;
  });
  const count = (kind: string) => cases.filter(({ problem }) => problem?.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" skipped="${count('skipped')}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="${attribute(suite)}" ${counts}>\n${lines.join('\n')}\n</testsuite>\n`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Escapes an attribute value and strips the control characters XML can't represent. */
const attribute = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '')
    .replace(/[&<>"\n]/g, (character) => entities[character] ?? '');
