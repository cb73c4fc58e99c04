import { payloadFields } from '../../docs/.vitepress/content/payload-fields.js';
import {
  type ErrorCode,
  errorCodes,
  errorCodesOf,
  operationIds,
  operationOf,
  scopes,
} from '../../src/contract/index.js';
import { retryableStatuses } from '../../src/http/run-call.js';
import { adminRoutesPage } from './admin-routes.js';
import { siteLink, table } from './markdown.js';

/** Returns the generated reference pages as Markdown, keyed by file name without the extension. */
export const referenceTables = (): Record<string, string> => ({
  endpoints: endpoints(),
  scopes: scopeTable(),
  limits: limits(),
  retries: retries(),
  'error-codes': errorCodeTable(),
  'admin-routes': adminRoutesPage(),
});

const rows = operationIds.map(operationOf);

const link = (id: string) => siteLink(id, `./operations/${id}`);

const page = (title: string, lead: string, ...parts: string[]) =>
  `${['<!-- Generated from the contract by tools/reference.ts. -->', `# ${title}`, lead, ...parts].join('\n\n')}\n`;

const endpoints = () =>
  page(
    'Endpoints',
    "Look up the API's 30 operations. Paths are relative to `/api/v1`.",
    table(
      ['operation', 'request', 'scope'],
      rows.map(({ id, method, path, scope }) => [link(id), `\`${method} ${path}\``, `\`${scope}\``]),
    ),
  );

const scopeTable = () =>
  page(
    'Scopes',
    'Each operation requires exactly one scope. A credential can have any number of the 13 scopes.',
    table(
      ['scope', 'allows'],
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
    'String lengths are counted in Unicode code points. The client checks all limits before it sends a request, and the server checks them again.',
    table(['operations', 'field', 'limit'], limitRows()),
  );

/** Operations in the same namespace share a row if a field has the same limit in all of them. */
function limitRows(): string[][] {
  const found = rows.flatMap(({ id, query, body }) =>
    [query, body].flatMap((schema) =>
      (schema ? payloadFields(schema) : []).flatMap(({ name, limits: limit }) =>
        limit ? [{ id, field: `\`${name}\``, limit, key: [id.split('.')[0], name, limit].join(' ') }] : [],
      ),
    ),
  );
  return [...new Map(found.map((row) => [row.key, row])).values()].map(({ key, field, limit }) => [
    found
      .filter((row) => row.key === key)
      .map(({ id }) => link(id))
      .join(', '),
    field,
    limit,
  ]);
}

const retries = () =>
  page(
    'Retries',
    'Look up which operations are safe to retry, and which errors and statuses cause the client to retry them. To configure retries, see [Retries and timeouts](../guide/retries-and-timeouts.md).',
    table(
      ['safe to retry', 'operations', 'retried after'],
      [
        ['yes', operationsThatAre(true), `lost connection, timeout, ${retryableStatuses.join(', ')}`],
        ['no', operationsThatAre(false), 'connection never established, 429'],
      ],
    ),
  );

const operationsThatAre = (idempotent: boolean) =>
  rows
    .filter((row) => row.idempotent === idempotent)
    .map(({ id }) => link(id))
    .join(', ');

const errorCodeTable = () =>
  page(
    'Error codes',
    "Look up the API's error codes, their HTTP statuses, and the operations that can return them.",
    table(
      ['code', 'status', 'operations'],
      (Object.keys(errorCodes) as ErrorCode[]).map((code) => [
        siteLink(code, `../errors/${code}`),
        String(errorCodes[code]),
        operationsReturning(code),
      ]),
    ),
  );

function operationsReturning(code: ErrorCode): string {
  const matching = rows.filter((row) => errorCodesOf(row, errorCodes[code]).includes(code));
  if (matching.length === rows.length) return 'all';
  if (matching.length === 0) return "none of the client's methods";
  return matching.length > 12
    ? `${matching.length} operations`
    : matching.map(({ id }) => link(id)).join(', ');
}
