import { rm, stat } from 'node:fs/promises';
import { type AnySchema, operationOf, type Validated, validate } from '../../../../src/contract/index.js';
import { removeLeftovers, replaceFile } from '../../../../src/node/internal.js';
import type { RowResult } from '../../../jobs/index.js';
import { hasDefaultBoard } from '../../connection.js';
import type { CommandContext } from '../../context.js';
import { type Directory, keyField, keyOf, RowProblem, toTicket } from './mapping.js';
import { type ImportPlan, rowsOf } from './plan.js';
import type { FileRow } from './read-rows.js';

/** A row that wasn't imported, and the reason. */
export type FailedRow = Pick<RowResult<FileRow>, 'key' | 'state' | 'error' | 'row'>;

/**
 * Writes failed and in-doubt rows to a file, one JSON object per line. Replaces an earlier run's file only
 * after all rows have been written. Deletes the file if no rows failed.
 *
 * @param source the imported file. The file with the failed rows gets the same permissions.
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

function toJson({ key, state, error, row }: FailedRow): string {
  const details = { key, line: row?.line, state, error };
  try {
    return JSON.stringify({ ...details, row: row?.values });
  } catch {
    // The row is nested too deeply for `JSON.stringify`, but its line number is enough to find it.
    return JSON.stringify(details);
  }
}

/** Validates every row against the contract and the project without creating tickets. */
export async function dryRun(plan: ImportPlan, directory: Directory, context: CommandContext): Promise<void> {
  const { body, bodyOnDefaultBoard } = operationOf('tickets.create');
  const schema = (hasDefaultBoard(context.env) ? bodyOnDefaultBoard : body) as AnySchema;
  // Don't overwrite the failed rows of the last import.
  const path = dryRunPath(plan.source.file);
  const failed = await writeFailedRows(path, problems(plan, directory, schema), plan.source.file);
  context.print(`${plan.rows} rows checked, ${failed} invalid; no tickets were created`);
  if (failed === 0) return;
  context.print(`Problems: ${path}`);
  context.exitCode = 1;
}

const dryRunPath = (file: string): string => `${file}.dry-run.ndjson`;

async function* problems(
  plan: ImportPlan,
  directory: Directory,
  schema: AnySchema,
): AsyncGenerator<FailedRow, void, undefined> {
  const keys = new Set<string>();
  let index = 0;
  for await (const row of rowsOf(plan)) {
    let key = '';
    const keyErrors = fieldErrorsOf(() => {
      key = keyOf(row, index++, plan.key);
      if (keys.has(key)) throw new RowProblem(keyField, 'is already used by an earlier row');
      keys.add(key);
      return undefined;
    });
    const ticketErrors = fieldErrorsOf(() => validate(schema, toTicket(row, plan.mapping, directory)));
    const fieldErrors = { ...ticketErrors, ...keyErrors };
    const [first] = Object.entries(fieldErrors);
    if (!first) continue;
    const message = `${first[0]} ${first[1].join(', ')}`;
    yield { key, state: 'failed', error: { message, code: 'invalid_request', fieldErrors }, row };
  }
}

function fieldErrorsOf(check: () => Validated<unknown> | undefined): Record<string, string[]> {
  try {
    const result = check();
    return result?.ok === false ? result.fieldErrors : {};
  } catch (error) {
    if (error instanceof RowProblem) return error.fieldErrors;
    throw error;
  }
}
