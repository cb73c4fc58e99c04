import { failureCodes, failureCodesOf, type OperationId, operationOf } from '../../../src/contract/index.js';
import type { Exchange } from '../live/exchange.js';
import { type PayloadField, payloadFields } from './payload-fields.js';

/** The page of an operation, as Markdown: everything in it comes from the contract, the types or a real call. */
export function operationPage(
  id: OperationId,
  { signature, source, exchange }: { signature: string; source: string; exchange: Exchange },
): string {
  const { summary, method, path, scope, status, number, query, body, paginated, repeatable } =
    operationOf(id);
  return [
    `# ${id}`,
    `${summary}.`,
    `<p class="operation-line"><code class="method ${method.toLowerCase()}">${method}</code> <code>/api/v1${path.replaceAll('{', '&#123;')}</code></p>`,
    '```ts',
    signature,
    '```',
    [
      `- Scope: [\`${scope}\`](../scopes.md)`,
      `- Success: ${status}${paginated ? ', [in pages](../../guide/pagination.md)' : ''}`,
      `- Repeated after a lost answer: ${repeatable ? 'yes' : 'no'} ([why](../../guide/retries-and-deadlines.md))`,
      `- Number ${number} in the specification`,
    ].join('\n'),
    ...(query ? ['## Query', fieldTable(payloadFields(query))] : []),
    ...(body ? ['## Body', fieldTable(payloadFields(body))] : []),
    '## Example',
    `<LiveOperation id="${id}">`,
    ['```ts', status === 204 ? `await ${source};` : `const ${resultName(id)} = await ${source};`, '```'].join(
      '\n',
    ),
    '</LiveOperation>',
    '## On the wire',
    'What that call really sent and got, when these pages were built, against the [Apollo world](../../guide/worlds.md#the-apollo-world).',
    ...wire(exchange),
    '## Failures',
    failureTable(id),
  ].join('\n\n');
}

function fieldTable(fields: PayloadField[]): string {
  return [
    '| field | needed | type | limits |',
    '|---|---|---|---|',
    ...fields.map(
      ({ name, required, type, limits }) =>
        `| \`${name}\` | ${required ? 'required' : 'optional'} | ${type} | ${limits} |`,
    ),
  ].join('\n');
}

function failureTable(id: OperationId): string {
  const row = operationOf(id);
  const statuses = [...new Set(Object.values(failureCodes))].sort((a, b) => a - b);
  return [
    '| status | reasons |',
    '|---|---|',
    ...statuses
      .map((status) => ({ status, codes: failureCodesOf(row, status) }))
      .filter(({ codes }) => codes.length > 0)
      .map(
        ({ status, codes }) =>
          `| ${status} | ${codes.map((code) => `[\`${code}\`](../../errors/${code}.md)`).join(', ')} |`,
      ),
  ].join('\n');
}

/** A name for the result, so that the example reads as a line of a program. */
function resultName(id: OperationId): string {
  const [subject = '', verb = ''] = id.split('.').slice(-2);
  if (verb === 'list' || verb === 'reorder') return operationOf(id).paginated ? 'page' : subject;
  if (verb === 'send') return 'receipt';
  return subject === 'organization' || subject === 'analytics' ? subject : subject.replace(/s$/, '');
}

function wire({ method, target, body, status, answer }: Exchange): string[] {
  const request = [`${method} ${target}`, 'authorization: Bearer …', ...(body ? ['', body] : [])].join('\n');
  const response = [`${status}`, ...(answer ? ['', answer] : [])].join('\n');
  return ['```http', request, '```', '```http', response, '```'];
}
