import { payloadFields } from '../../docs/.vitepress/content/payload-fields.js';
import {
  type ErrorCode,
  errorCodes,
  errorCodesOf,
  operationIds,
  operationOf,
  scopes,
} from '../../src/contract/index.js';
import { repeatedStatuses } from '../../src/http/retry.js';

/** The generated pages of the reference: name of the file without its ending, and text. */
export const referenceTables = (): Record<string, string> => ({
  endpoints: endpoints(),
  scopes: scopeTable(),
  limits: limits(),
  retries: retries(),
  'error-codes': errorCodeTable(),
});

const rows = operationIds.map((id) => ({ id, ...operationOf(id) }));

const link = (id: string) => `[\`${id}\`](./operations/${id}.md)`;

const page = (title: string, lead: string, ...parts: string[]) =>
  `${['<!-- Written by scripts/reference.ts from the contract. -->', `# ${title}`, lead, ...parts].join('\n\n')}\n`;

function table(head: string[], lines: string[][]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}

const endpoints = () =>
  page(
    'Endpoints',
    'All thirty, by their numbers in the specification. Paths are below `/api/v1`.',
    table(
      ['#', 'operation', 'request', 'scope', 'success'],
      rows.map(({ number, id, method, path, scope, status, paginated }) => [
        String(number),
        link(id),
        `\`${method} ${path}\``,
        `\`${scope}\``,
        `${status}${paginated ? ', in pages' : ''}`,
      ]),
    ),
  );

const scopeTable = () =>
  page(
    'Scopes',
    'An operation needs exactly one scope; a credential carries any of the thirteen.',
    table(
      ['scope', 'opens'],
      scopes.map((scope) => [
        `\`${scope}\``,
        rows
          .filter((row) => row.scope === scope)
          .map(({ id }) => link(id))
          .join(', '),
      ]),
    ),
  );

const limits = () =>
  page(
    'Limits',
    'Lengths count Unicode code points. The client checks all of it before it sends anything; the server checks it again.',
    table(
      ['operation', 'field', 'limit'],
      rows.flatMap(({ id, query, body }) =>
        [query, body].flatMap((schema) =>
          schema
            ? payloadFields(schema)
                .filter((field) => field.limits)
                .map(({ name, limits: limit }) => [link(id), `\`${name}\``, limit])
            : [],
        ),
      ),
    ),
  );

const retries = () =>
  page(
    'Retries',
    'What is safe to repeat is repeated on lost connections, timeouts, 408, 429, 500, 502, 503 and 504. What is not, only when the server certainly did nothing: on 429, and on a connection that was never made. More in [retries and deadlines](../guide/retries-and-timeouts.md).',
    table(
      ['operation', 'method', 'safe to repeat', 'after'],
      rows.map(({ id, method, idempotent }) => [
        link(id),
        method,
        idempotent ? 'yes' : 'no',
        idempotent ? `connection, timeout, ${repeatedStatuses.join(', ')}` : '429, no connection made',
      ]),
    ),
  );

const errorCodeTable = () =>
  page(
    'Error codes',
    "An error's `reason`, with the status it comes with and the operations that can answer so.",
    table(
      ['code', 'status', 'operations'],
      (Object.keys(errorCodes) as ErrorCode[]).map((code) => [
        `[\`${code}\`](../errors/${code}.md)`,
        String(errorCodes[code]),
        answering(code),
      ]),
    ),
  );

function answering(code: ErrorCode): string {
  const able = rows.filter((row) => errorCodesOf(row, errorCodes[code]).includes(code));
  if (able.length === rows.length) return 'all';
  if (able.length === 0) return 'none of the thirty: a call made by hand';
  return able.length > 12 ? `${able.length} of them` : able.map(({ id }) => link(id)).join(', ');
}
