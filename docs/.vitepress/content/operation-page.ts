import { fieldsOf } from '../../../cli/operations/description.js';
import {
  errorCodes,
  errorCodesOf,
  type OperationId,
  operationOf,
  summaries,
} from '../../../src/contract/index.js';
import type { Exchange } from '../live/exchange.js';
import { type PayloadField, payloadFields } from './payload-fields.js';

/** The page of an operation as Markdown, generated from the contract, the types, and a recorded call. */
export function operationPage(
  id: OperationId,
  { signature, source, exchange }: { signature: string; source: string; exchange: Exchange },
): string {
  const { method, path, scope, status, number, query, body, paginated, idempotent } = operationOf(id);
  return [
    `# ${id}`,
    `${summaries[id]}.`,
    `<p class="operation-line"><code class="method ${method.toLowerCase()}">${method}</code> <code>/api/v1${path.replaceAll('{', '&#123;')}</code></p>`,
    fence('ts', signature),
    [
      `- Scope: [\`${scope}\`](../scopes.md)`,
      `- Success: ${status}${resultOf(signature)}${paginated ? ', [paginated](../../guide/pagination.md)' : ''}`,
      `- Retried after a lost response: ${idempotent ? 'yes' : 'no'} ([why](../../guide/retries-and-timeouts.md))`,
      `- Number ${number} in the specification`,
    ].join('\n'),
    ...(query ? ['## Query', fieldTable(id, payloadFields(query))] : []),
    ...(body ? ['## Body', fieldTable(id, payloadFields(body))] : []),
    '## Example',
    `<LiveOperation id="${id}">`,
    fence('ts', status === 204 ? `await ${source};` : `const ${resultName(id)} = await ${source};`),
    '</LiveOperation>',
    '## HTTP request and response',
    'The build of this page recorded this exchange, with [this seed data](../../testing/seed-data.md#the-apollo-world).',
    ...wire(exchange),
    '## Errors',
    errorTable(id),
  ].join('\n\n');
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

/** The method's result, with a link to its fields. Empty if it returns nothing. */
function resultOf(signature: string): string {
  const [, name = 'undefined', list = ''] = /<(\w+)(\[\])?>$/.exec(signature) ?? [];
  if (name === 'undefined') return '';
  return `, ${list ? 'a list of ' : ''}[\`${name}\`](../api/worktrack/interfaces/${name}.md)`;
}

function fieldTable(id: OperationId, fields: PayloadField[]): string {
  const described = new Map(fieldsOf(id).map(({ name, description }) => [name, description]));
  return [
    '| field | required | type | limits | description |',
    '|---|---|---|---|---|',
    ...fields.map(
      ({ name, required, type, limits }) =>
        `| \`${name}\` | ${required ? 'yes' : 'no'} | ${type} | ${limits} | ${shortDescription(described.get(name), operationOf(id).method)} |`,
    ),
  ].join('\n');
}

/**
 * A field's description without its limits, which have their own column, and without sentences about other
 * operations.
 */
function shortDescription(description = '', method: string): string {
  const rest = description
    .replace(
      method === 'PATCH' ? / The default for a new \w+ is `\w+`\./ : / An update replaces the whole list\./,
      '',
    )
    .replace(/^(At most [\d,]+ characters|One of `[^`]*`|`draft` or `published`|RFC 3339)[;.]?\s*/, '')
    .replace(/\.$/, '');
  return rest && rest[0]?.toUpperCase() + rest.slice(1);
}

function errorTable(id: OperationId): string {
  const row = operationOf(id);
  const statuses = [...new Set(Object.values(errorCodes))].sort((a, b) => a - b);
  return [
    '| status | error codes |',
    '|---|---|',
    ...statuses
      .map((status) => ({ status, codes: errorCodesOf(row, status) }))
      .filter(({ codes }) => codes.length > 0)
      .map(
        ({ status, codes }) =>
          `| ${status} | ${codes.map((code) => `[\`${code}\`](../../errors/${code}.md)`).join(', ')} |`,
      ),
  ].join('\n');
}

/** A variable name for the result, so that the example reads like a line of a program. */
function resultName(id: OperationId): string {
  const [subject = '', verb = ''] = id.split('.').slice(-2);
  if (verb === 'list' || verb === 'reorder') return operationOf(id).paginated ? 'page' : subject;
  if (verb === 'send') return 'receipt';
  return subject === 'organization' || subject === 'analytics' ? subject : subject.replace(/s$/, '');
}

function wire({ method, target, requestBody, status, responseBody }: Exchange): string[] {
  const request = [
    `${method} ${target}`,
    'authorization: Bearer …',
    ...(requestBody ? ['', requestBody] : []),
  ].join('\n');
  const response = [`${status}`, ...(responseBody ? ['', responseBody] : [])].join('\n');
  return [fence('http', request), fence('http', response)];
}
