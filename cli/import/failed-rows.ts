import { rm, stat } from 'node:fs/promises';
import type { UnresolvedRow } from '../../src/import/index.js';
import { removeLeftovers, replaceFile } from '../../src/shared/files.js';
import type { FileRow } from './read-rows.js';

/** A row that wasn't imported, with its details from the ledger or the report. */
export type FailedRow = Pick<UnresolvedRow<FileRow>, 'key' | 'state' | 'error' | 'candidates' | 'row'>;

/**
 * Writes failed and in-doubt rows to a file, one JSON object per line. Replaces an earlier run's file only
 * after all rows have been written. Deletes the file if no rows failed.
 *
 * @param source the imported file. The file of failed rows gets the same permissions.
 * @returns the number of rows
 */
export async function writeFailedRows(
  path: string,
  rows: AsyncIterable<FailedRow>,
  source: string,
): Promise<number> {
  const { mode } = await stat(source);
  let count = 0;
  async function* lines() {
    for await (const row of rows) {
      count++;
      yield `${toJson(row)}\n`;
    }
  }
  await removeLeftovers(path);
  await replaceFile(path, lines(), { mode: mode & 0o666 });
  if (count === 0) await rm(path);
  return count;
}

export const failedRowsPath = (file: string): string => `${file}.failed.ndjson`;

function toJson({ key, state, error, candidates, row }: FailedRow): string {
  const details = { key, line: row?.line, state, error, candidates };
  try {
    return JSON.stringify({ ...details, row: row?.values });
  } catch {
    // The row is nested too deeply for `JSON.stringify`, but its line number is enough to find it.
    return JSON.stringify(details);
  }
}
