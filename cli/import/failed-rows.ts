import { open, rename, rm, stat } from 'node:fs/promises';
import type { UnresolvedRow } from '../../src/import/index.js';
import type { FileRow } from './read-rows.js';

/** A row that wasn't imported, with its details from the ledger or the report. */
export type FailedRow = Pick<UnresolvedRow<FileRow>, 'key' | 'state' | 'error' | 'candidates' | 'row'>;

/**
 * Writes failed and in-doubt rows to a file, one JSON object per line. Replaces the file left by an earlier run
 * only when all rows are written, or deletes it if there are none.
 *
 * @param source the imported file. Only users who can read it can read the rows.
 * @returns the number of rows
 */
export async function writeFailedRows(
  path: string,
  rows: AsyncIterable<FailedRow>,
  source: string,
): Promise<number> {
  const { mode } = await stat(source);
  const draft = `${path}.tmp`;
  // A run that was killed can leave a draft.
  await rm(draft, { force: true });
  // Doesn't follow a symbolic link, which could point to somebody else's file.
  const file = await open(draft, 'wx', mode & 0o666);
  try {
    let count = 0;
    try {
      let lines = '';
      for await (const row of rows) {
        count++;
        lines += `${toJson(row)}\n`;
        if (lines.length < 1 << 16) continue;
        await file.appendFile(lines);
        lines = '';
      }
      await file.appendFile(lines);
      await file.sync();
    } finally {
      await file.close();
    }
    if (count > 0) await rename(draft, path);
    else await rm(path, { force: true });
    return count;
  } finally {
    await rm(draft, { force: true });
  }
}

export const failedRowsPath = (file: string): string => `${file}.failed.ndjson`;

function toJson({ key, state, error, candidates, row }: FailedRow): string {
  const details = { key, line: row?.line, state, error, candidates };
  try {
    return JSON.stringify({ ...details, row: row?.values });
  } catch {
    // The row is nested too deep. Its line number is enough to find it.
    return JSON.stringify(details);
  }
}
