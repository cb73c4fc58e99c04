import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** The file in which commands record their results, if `.ci/run` started them. */
const file = process.env.WORKTRACK_TEST_COUNTS;

/** Whether the results are recorded. The recorded results are then printed together. */
export const isRecording = Boolean(file);

/** Records the results of a command's steps. */
export function recordResults(command, results) {
  if (!file) return;
  const lines = results.map(({ name, passed, failed, skipped }) =>
    JSON.stringify({ command, name, passed, failed, skipped }),
  );
  appendFileSync(file, `${lines.join('\n')}\n`);
}

/** Returns the results that have been recorded so far. */
export function recordedResults() {
  if (!file || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Returns the sum of the results, such as `12 passed, 0 failed`. */
export function summaryOf(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
