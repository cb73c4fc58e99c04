import { type OperationId, operationOf } from '../../../src/contract/index.js';
import type { ReferenceKind } from '../../shared/lookup.js';
import { exitCodesHelp, quoteForShell } from '../command-line.js';
import { environmentHelp } from '../connection.js';
import { exampleOf, positionalsOf, referenceOptionsOf, resultOf } from './description.js';

/**
 * Returns the help text that follows an operation's options.
 *
 * @param wrap breaks lines at the width of the terminal
 */
export function operationHelp(id: OperationId, wrap: (text: string) => string): string {
  const { scope, errorCodes } = operationOf(id);
  const required = `Required scope: ${scope}`;
  const errors = errorCodes.length > 0 ? `Error codes (422): ${errorCodes.join(', ')}` : undefined;
  return [
    `Output if piped: ${outputOf(id, wrap)}`,
    [required, errors].filter(Boolean).join('\n'),
    `Example:\n  ${exampleWithNames(id)}`,
    environmentHelp,
    exitCodesHelp,
  ].join('\n\n');
}

function outputOf(id: OperationId, wrap: (text: string) => string): string {
  const result = resultOf(id);
  if (!result) return 'nothing';
  const fields = wrap(result.fields.join(', ')).replace(/^/gm, '  ');
  return `${result.isList ? 'a JSON array of objects' : 'a JSON object'} with the fields\n${fields}`;
}

/** Formats an operation's example request with names instead of IDs. */
function exampleWithNames(id: OperationId): string {
  const references = referenceOptionsOf(id).filter(({ name }) => name !== 'board_slug');
  const options = Object.entries(exampleOf(id).payload).map(([field, value]) => {
    const reference = value ? references.find((option) => option.field === field) : undefined;
    if (!reference) return [field, value];
    const names = exampleNames[reference.kind];
    return [reference.name, Array.isArray(value) ? names.slice(0, value.length) : names[0]];
  });
  const parameters = { project: 'APO', ticket: 'APO-3', board: 'APO/Doing' };
  return formatCommand(id, parameters, Object.fromEntries(options));
}

const exampleNames: Readonly<Record<ReferenceKind, readonly string[]>> = {
  project: ['APO'],
  board: ['To do', 'Doing', 'Done'],
  ticket: ['APO-3', 'APO-1', 'APO-2'],
  label: ['crew', 'bug'],
  member: ['Ada', 'Bo'],
  user: ['Ada', 'Bo'],
};

/**
 * Formats an operation's example request from the OpenAPI document as a CLI command.
 *
 * @param ids IDs that replace those in the example, keyed by path parameter
 */
export function exampleCommand(id: OperationId, ids?: Readonly<Record<string, string>>): string {
  const { parameters, payload } = exampleOf(id);
  return formatCommand(id, { ...parameters, ...ids }, payload);
}

function formatCommand(
  id: OperationId,
  parameters: Readonly<Record<string, string>>,
  payload: Readonly<Record<string, unknown>>,
): string {
  const positionals = positionalsOf(id).map((name) => quoteForShell(parameters[name] ?? `<${name}>`));
  const options = Object.entries(payload).flatMap(([name, value]) => optionWords(name, value));
  if (operationOf(id).method === 'DELETE') options.push('--yes');
  return ['worktrack', ...id.split('.'), ...positionals, ...options].join(' ');
}

function optionWords(name: string, value: unknown): string[] {
  if (value === null) return ['--null', name];
  return [value].flat().flatMap((one) => [`--${name}`, quoteForShell(String(one))]);
}
