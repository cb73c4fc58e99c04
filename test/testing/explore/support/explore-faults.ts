import { appendFileSync } from 'node:fs';
import * as testing from 'worktrack/explore';

const { WORKTRACK_EXPLORED_FILE: file, WORKTRACK_TEST_LONG: long } = process.env;

/** Whether to explore pairs of failures. */
export const isLong = long === '1';

/** Limits an exploration to a number of runs, except in a long test run and in `npm run evidence`. */
export const limitedTo = (maxRuns: number): Pick<testing.ExploreOptions, 'depth' | 'timeout' | 'maxRuns'> =>
  isLong ? { depth: 2, timeout: 100_000 } : file ? {} : { maxRuns };

/** Explores a workflow, and adds the IDs of its runs to the file from which `npm run evidence` counts them. */
export const exploreFaults: typeof testing.exploreFaults = async (...args) => {
  const report = await testing.exploreFaults(...args);
  if (file) appendFileSync(file, `${report.ids.join('\n')}\n`);
  return report;
};
