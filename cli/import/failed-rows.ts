import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SettledRow } from '../../src/import/index.js';
import type { FileRow } from './mapping.js';

/** A row that wasn't imported, with its details from the ledger or the report. */
export type FailedRow = Pick<SettledRow<FileRow>, 'key' | 'state' | 'error' | 'candidates' | 'row'>;

/**
 * Writes failed and in-doubt rows to a file, one JSON object per line. If every row was imported, deletes the
 * file left by an earlier run.
 *
 * @returns the number of rows written
 */
export async function writeFailedRows(path: string, rows: AsyncIterable<FailedRow>): Promise<number> {
  let count = 0;
  async function* lines() {
    for await (const { key, state, error, candidates, row } of rows) {
      count++;
      yield `${JSON.stringify({ key, state, error, candidates, row })}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  if (count === 0) await rm(path);
  return count;
}
