import { type OperationId, operationOf, summaries } from '../../src/contract/index.js';
import { fieldsOf, namespaces, positionalsOf } from './description.js';

/** What a namespace's commands do, one a line. */
export function namespaceUsage(name: string): string {
  const lines = (namespaces.get(name) ?? []).map((id) => `  ${commandLine(id).padEnd(44)}  ${summaries[id]}`);
  return `worktrack ${name}: an operation of the API each; --help after one says more\n${lines.join('\n')}`;
}

/** All that there is to say of one operation's command: scope, arguments, limits. */
export function operationUsage(id: OperationId): string {
  const { scope, errorCodes, paginated, method } = operationOf(id);
  const fields = fieldsOf(id).map(({ name, type, required, nullable, description }) => {
    const option =
      type === 'boolean' ? `--[no-]${name}` : `--${name} <${type === 'array' ? 'string' : type}>`;
    const notes = [
      required && 'required',
      type === 'array' && 'again for each',
      nullable && `or --null ${name}`,
    ]
      .filter(Boolean)
      .join(', ');
    return `  ${option.padEnd(36)}  ${description}${notes && ` (${notes})`}`;
  });
  return [
    `Usage: worktrack ${commandLine(id)}${fields.length > 0 ? ' [options]' : ''}`,
    `${summaries[id]}. Needs the scope ${scope}.`,
    ...(fields.length > 0 ? ['', 'Options', ...fields] : []),
    ...(fields.length > 0 && method !== 'GET'
      ? [`  ${'--data <json>'.padEnd(36)}  All of them as one object; - reads it from standard input`]
      : []),
    ...(paginated ? [`  ${'--all'.padEnd(36)}  Every page, not only the first`] : []),
    '',
    commonUsage,
    ...(errorCodes.length > 0 ? ['', `It can be refused (422) with: ${errorCodes.join(', ')}`] : []),
  ].join('\n');
}

const commandLine = (id: OperationId) =>
  [...id.split('.'), ...positionalsOf(id).map((name) => `<${name}>`)].join(' ');

const commonUsage = `Options of every operation
  --json                                JSON instead of a table; also where the output is no terminal
  --base-url <url>                      The deployment (WORKTRACK_BASE_URL)
  --organization <id>                   The organization (WORKTRACK_ORGANIZATION)
  --allow-plain-http                    Send the token to another machine without encryption
The token comes from WORKTRACK_TOKEN, or is asked for; never from an option, which others could read.

Exit codes
  0 done   1 no answer, or a broken one   2 not understood, nothing was sent
  3 refused: credential or scope (401, 403)   4 not found (404)   5 refused by a limit or a rule (422)
  6 too many requests, or the server failed (429, 5xx)`;
