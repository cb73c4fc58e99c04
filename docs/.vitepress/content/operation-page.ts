import { fieldsOf } from '../../../addons/cli/operations/description.js';
import { exampleCommand } from '../../../addons/cli/operations/help.js';
import { shellQuoted } from '../../../addons/console/app/snippets/snippets.js';
import {
  type ErrorCode,
  errorCodes,
  errorCodesOf,
  type OperationId,
  operationOf,
} from '../../../src/contract/index.js';
import { table } from '../../../tools/support/markdown.js';
import type { Exchange } from '../live/exchange.js';
import { errorCodePages } from './error-code-pages.js';
import { errorClassOf } from './error-pages-text.js';
import {
  type ErrorResponse,
  errorResponse,
  pathParameters,
  type ResponseField,
  responseFields,
} from './openapi-facts.js';
import { type PayloadField, payloadFields } from './payload-fields.js';

/** Generates an operation's page, in Markdown, from the contract, the types, and a recorded call. */
export function operationPage(
  id: OperationId,
  { signature, source, exchange }: { signature: string; source: string; exchange: Exchange },
): string {
  const { method, path, parameters, summary, scope, status, number, query, body, paginated, idempotent } =
    operationOf(id);
  return [
    `# ${id}`,
    `${summary}.`,
    `<p class="operation-line"><code class="method ${method.toLowerCase()}">${method}</code> <code>/api/v1${path.replaceAll('{', '&#123;')}</code></p>`,
    `<nav class="page-outline" aria-label="On this page">${outline(id)}</nav>`,
    fence('ts', signature),
    [
      `- Scope: [\`${scope}\`](../scopes.md)`,
      `- Success: ${status}${resultOf(signature)}${paginated ? ', [paginated](../../guide/pagination.md)' : ''}`,
      `- Retried after a lost response: ${idempotent ? 'yes' : 'no'} ([why](../../guide/retries-and-timeouts.md))`,
      `- Specification: operation ${number}`,
    ].join('\n'),
    ...columns(
      [
        ...(parameters.length > 0 ? ['## Path', pathTable(id)] : []),
        ...(query ? ['## Query', fieldTable(id, payloadFields(query))] : []),
        ...(body ? ['## Body', fieldTable(id, payloadFields(body))] : []),
      ],
      ['## Example', ...exampleSection(id, source, exchange)],
    ),
    ...columns(...responseSection(id, exchange)),
    ...columns(['## Error codes', errorTable(id)], ['## Error response', ...errorSection(id)]),
  ].join('\n\n');
}

/** Returns links to the page's headings, in the order in which they appear. */
function outline(id: OperationId): string {
  const { parameters, query, body } = operationOf(id);
  const headings = {
    Path: parameters.length > 0,
    Query: query,
    Body: body,
    Example: true,
    Response: true,
    'Error codes': true,
    'Error response': true,
  };
  return Object.entries(headings)
    .filter(([, exists]) => exists)
    .map(([name]) => `<a href="#${name.toLowerCase().replace(' ', '-')}">${name}</a>`)
    .join(' ');
}

/** Puts text and code beside each other if there's enough room. */
const columns = (text: string[], code: string[]): string[] => [
  '<div class="operation-columns">',
  '<div class="operation-text">',
  ...text,
  '</div>',
  '<div class="operation-code">',
  ...code,
  '</div>',
  '</div>',
];

function exampleSection(id: OperationId, source: string, exchange: Exchange): string[] {
  return [
    `<LiveOperation id="${id}">`,
    codeGroup([
      [
        'ts',
        'TypeScript',
        operationOf(id).status === 204 ? `await ${source};` : `const ${resultName(id)} = await ${source};`,
      ],
      ['sh', 'curl', curlCommand(exchange)],
      ['sh', 'CLI', cliCommand(id, exchange)],
      ['http', 'HTTP', httpRequest(exchange)],
    ]),
    '</LiveOperation>',
    'Before you run the curl or CLI command, set the [environment variables](../../cli.md#start-a-mock-server) for your deployment or a mock server. The IDs come from [the Apollo world](../../testing/seed-data.md#the-apollo-world).',
  ];
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

/** Returns a link to the method's result type, or an empty string for a method without a result. */
function resultOf(signature: string): string {
  const [, name = 'undefined', list = ''] = /<(\w+)(\[\])?>$/.exec(signature) ?? [];
  if (name === 'undefined') return '';
  return `, ${list ? 'a list of ' : ''}[\`${name}\`](../api/worktrack/interfaces/${name}.md)`;
}

function fieldTable(id: OperationId, fields: PayloadField[]): string {
  const described = new Map(fieldsOf(id).map(({ name, description }) => [name, description]));
  return table(
    ['field', 'required', 'type', 'limits', 'description'],
    fields.map(({ name, required, type, limits }) => [
      `\`${name}\``,
      required ? 'yes' : 'no',
      type,
      limits,
      shortDescription(described.get(name), operationOf(id).method),
    ]),
  );
}

/** Removes limits, which have their own column, and sentences about other operations. */
function shortDescription(description = '', method: string): string {
  const rest = description
    .replace(method === 'PATCH' ? / New \w+ default to `\w+`\./ : / An update replaces the entire list\./, '')
    .replace(
      /^(At most [\d,]+ characters|(One of )?(`[^`]*`(,? or |, )?){2,}|RFC 3339(?=[;.]|$))[;.]?\s*/,
      '',
    )
    .replace(/\.$/, '');
  return rest && rest[0]?.toUpperCase() + rest.slice(1);
}

const pathTable = (id: OperationId): string =>
  table(
    ['parameter', 'description'],
    pathParameters(id).map(({ name, description }) => [
      `\`${name}\``,
      name === 'organization' ? `${description}; set with the \`organization\` option` : description,
    ]),
  );

const codeGroup = (tabs: [language: string, label: string, code: string][]) =>
  [
    '::: code-group',
    ...tabs.map(([language, label, code]) => fence(`${language} [${label}]`, code)),
    ':::',
  ].join('\n\n');

/** Returns the recorded request as a curl command for a POSIX shell. */
export function curlCommand({ method, target, requestBody }: Exchange): string {
  return [
    `curl --request ${method} "$WORKTRACK_BASE_URL${target}"`,
    `--header "Authorization: Bearer $WORKTRACK_TOKEN"`,
    ...(requestBody
      ? [
          `--header 'Content-Type: application/json'`,
          `--data ${shellQuoted(JSON.stringify(JSON.parse(requestBody)))}`,
        ]
      : []),
  ].join(' \\\n  ');
}

/** Returns the recorded request as a CLI command. */
export function cliCommand(id: OperationId, { target }: Exchange): string {
  const { path, parameters } = operationOf(id);
  const pattern = path.replace(/\{(\w+)\}/g, '(?<$1>[^/?]+)');
  const { groups = {} } = new RegExp(`^/api/v1${pattern}(\\?|$)`).exec(target) ?? {};
  const ids = parameters.map((name) => [name, groups[name] ?? '']);
  return `npx ${exampleCommand(id, Object.fromEntries(ids))}`;
}

const httpRequest = ({ method, target, requestBody }: Exchange) =>
  [`${method} ${target}`, 'authorization: Bearer …', ...(requestBody ? ['', requestBody] : [])].join('\n');

/** Returns the text about the response and the recorded response. */
function responseSection(id: OperationId, { status, responseBody }: Exchange): [string[], string[]] {
  const fields = responseFields(id);
  const heading = '## Response';
  if (fields.length === 0)
    return [[heading, "The response doesn't have a body."], [fence('http', String(status))]];
  const about = operationOf(id).paginated
    ? 'Each record in the list has these fields. For the page fields, such as `total`, see [Pagination](../../guide/pagination.md).'
    : 'The client returns the value of `data`, with these fields in each record:';
  return [[heading, about, responseTable(fields)], [fence('http', `${status}\n\n${responseBody}`)]];
}

const responseTable = (fields: ResponseField[]) =>
  table(
    ['field', 'type', 'description'],
    fields.map(({ name, type, description }) => [`\`${name}\``, type, description]),
  );

function errorSection(id: OperationId): string[] {
  const { code, response } = typicalError(id);
  const { status, body } = response;
  const name = errorClassOf(status);
  const fields = {
    message,
    errors,
    code: `The [error code](../error-codes.md), in this example [\`${code}\`](../../errors/${code}.md)`,
  };
  return [
    fence('http', `${status}\n\n${JSON.stringify(body, null, 2)}`),
    `The client throws [\`${name}\`](../../errors/${name}.md) with this code as its \`code\`.`,
    table(
      ['field', 'description'],
      Object.keys(body).map((name) => [`\`${name}\``, fields[name as keyof typeof fields]]),
    ),
  ];
}

const message = 'A human-readable description of the error';
const errors =
  'Messages for each invalid field. The field name of a list item includes its index, as in `tag_names.3`';

/**
 * Returns an operation's most specific error: a rule violation if possible; otherwise, a missing record or
 * scope.
 */
function typicalError(id: OperationId): { code: ErrorCode; response: ErrorResponse } {
  const candidates: ErrorCode[] = [...operationOf(id).errorCodes].reverse();
  for (const code of [...candidates, 'not_found', 'missing_scope'] as const) {
    const response = errorResponse(code, id);
    if (response) return { code, response };
  }
  throw new Error(`openapi.json has no error response for ${id}`);
}

function errorTable(id: OperationId): string {
  const row = operationOf(id);
  const statuses = [...new Set(Object.values(errorCodes))].sort((a, b) => a - b);
  return table(
    ['status', 'error code', 'cause'],
    statuses.flatMap((status) =>
      errorCodesOf(row, status).map((code) => [
        String(status),
        `[\`${code}\`](../../errors/${code}.md)`,
        firstSentence(errorCodePages[code].cause),
      ]),
    ),
  );
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;

/** Returns a variable name for the result in the example. */
function resultName(id: OperationId): string {
  const [subject = '', verb = ''] = id.split('.').slice(-2);
  if (verb === 'list' || verb === 'reorder') return operationOf(id).paginated ? 'page' : subject;
  if (verb === 'send') return 'receipt';
  return subject === 'organization' || subject === 'analytics' ? subject : subject.replace(/s$/, '');
}
