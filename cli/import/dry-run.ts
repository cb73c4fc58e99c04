import { createTicketSchema, validate } from '../../src/contract/public.js';
import type { CommandContext } from '../context.js';
import { type FailedRow, writeFailedRows } from './failed-rows.js';
import { type FileRow, toTicket } from './mapping.js';
import type { ImportPlan } from './plan.js';
import { readRows } from './read-rows.js';
import { RowProblem } from './row-problem.js';

/** Validates every row against the contract and the project without creating tickets. */
export async function dryRun(plan: ImportPlan, context: CommandContext): Promise<void> {
  const path = `${plan.source.file}.failed.ndjson`;
  const failed = await writeFailedRows(path, problems(plan));
  context.print(`${plan.rows} rows checked, ${failed} invalid; no tickets were created`);
  if (failed === 0) return;
  context.print(`Problems: ${path}`);
  context.exitCode = 1;
}

async function* problems(plan: ImportPlan): AsyncGenerator<FailedRow, void, undefined> {
  const keys = new Set<string>();
  let index = 0;
  for await (const row of readRows(plan.source)) {
    const key = plan.keyOf(row, index++);
    const fieldErrors = { ...fieldErrorsOf(plan, row), ...keyErrors(key, keys) };
    keys.add(key);
    const [first] = Object.entries(fieldErrors);
    if (!first) continue;
    const message = `${first[0]} ${first[1].join(', ')}`;
    yield { key, state: 'failed', error: { message, code: 'invalid_request', fieldErrors }, row };
  }
}

function fieldErrorsOf({ mapping, directory }: ImportPlan, row: FileRow): Record<string, string[]> {
  try {
    const result = validate(createTicketSchema as never, toTicket(row, mapping, directory));
    return result.ok ? {} : result.fieldErrors;
  } catch (error) {
    if (error instanceof RowProblem) return error.fieldErrors;
    throw error;
  }
}

function keyErrors(key: string, keys: ReadonlySet<string>): Record<string, string[]> {
  if (key === '') return { '(key)': ['is empty'] };
  return keys.has(key) ? { '(key)': ['is already used by an earlier row'] } : {};
}
