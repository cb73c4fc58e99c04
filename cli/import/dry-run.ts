import { type AnySchema, operationOf, type Validated, validate } from '../../src/contract/index.js';
import { hasDefaultBoard } from '../connection.js';
import type { CommandContext } from '../context.js';
import { type Directory, RowProblem } from './directory.js';
import { type FailedRow, writeFailedRows } from './failed-rows.js';
import { keyField, keyOf, toTicket } from './mapping.js';
import { type ImportPlan, rowsOf } from './plan.js';
import type { FileRow } from './read-rows.js';

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

export const dryRunPath = (file: string): string => `${file}.dry-run.ndjson`;

async function* problems(
  plan: ImportPlan,
  directory: Directory,
  schema: AnySchema,
): AsyncGenerator<FailedRow, void, undefined> {
  const keys = new Set<string>();
  let index = 0;
  for await (const row of rowsOf(plan)) {
    const { key, fieldErrors: keyErrors } = readKey(row, index++, plan.key, keys);
    const fieldErrors = {
      ...fieldErrorsOf(() => validate(schema, toTicket(row, plan.mapping, directory))),
      ...keyErrors,
    };
    const [first] = Object.entries(fieldErrors);
    if (!first) continue;
    const message = `${first[0]} ${first[1].join(', ')}`;
    yield { key, state: 'failed', error: { message, code: 'invalid_request', fieldErrors }, row };
  }
}

function fieldErrorsOf(check: () => Validated<unknown>): Record<string, string[]> {
  try {
    const result = check();
    return result.ok ? {} : result.fieldErrors;
  } catch (error) {
    if (error instanceof RowProblem) return error.fieldErrors;
    throw error;
  }
}

/** Reads a row's key. The key is empty if it's invalid. */
function readKey(row: FileRow, index: number, column: string | undefined, keys: Set<string>) {
  let key = '';
  try {
    key = keyOf(row, index, column);
    if (keys.has(key)) throw new RowProblem(keyField, 'is already used by an earlier row');
    keys.add(key);
    return { key, fieldErrors: {} };
  } catch (error) {
    if (error instanceof RowProblem) return { key, fieldErrors: error.fieldErrors };
    throw error;
  }
}
