import { type OperationId, operationOf } from '../../src/contract/index.js';
import { environmentHelp, exitCodesHelp } from '../help-text.js';
import { exampleOf, positionalsOf } from './description.js';

/** Returns the help text that follows an operation's options. */
export function operationHelp(id: OperationId): string {
  const { scope, errorCodes } = operationOf(id);
  const required = `Required scope: ${scope}`;
  const errors = errorCodes.length > 0 ? `Error codes (422): ${errorCodes.join(', ')}` : undefined;
  return [
    [required, errors].filter(Boolean).join('\n'),
    `Example:\n  ${exampleCommand(id)}`,
    environmentHelp,
    exitCodesHelp,
  ].join('\n\n');
}

/**
 * Formats an operation's example request from the OpenAPI document as a CLI command.
 *
 * @param ids IDs that replace those in the example, keyed by path parameter
 */
export function exampleCommand(id: OperationId, ids?: Readonly<Record<string, string>>): string {
  const { parameters: exampleIds, payload } = exampleOf(id);
  const parameters = { ...exampleIds, ...ids };
  const positionals = positionalsOf(id).map((name) => quote(parameters[name] ?? `<${name}>`));
  const options = Object.entries(payload).flatMap(([name, value]) => optionWords(name, value));
  return ['worktrack', ...id.split('.'), ...positionals, ...options].join(' ');
}

function optionWords(name: string, value: unknown): string[] {
  if (value === null) return ['--null', name];
  return [value].flat().flatMap((one) => [`--${name}`, quote(String(one))]);
}

/** Quotes a word for a POSIX shell, if necessary. */
const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
