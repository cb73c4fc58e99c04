import { appendFileSync } from 'node:fs';
import * as testing from 'worktrack/testing';

/** Explores a workflow, and adds the IDs of its runs to the file from which `npm run evidence` counts them. */
export const exploreFaults: typeof testing.exploreFaults = async (...args) => {
  const report = await testing.exploreFaults(...args);
  const { WORKTRACK_EXPLORED_FILE: file } = process.env;
  if (file) appendFileSync(file, `${report.ids.join('\n')}\n`);
  return report;
};
