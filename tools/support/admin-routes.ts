import ts from 'typescript';
import type { AdminRoutes } from '../../mock-server/node/admin/admin-route.js';
import { adminRoutes, spaceRoutes } from '../../mock-server/node/admin/routes.js';
import type { Spaces } from '../../mock-server/node/spaces.js';
import { type Declaration, declarations, fieldsOf, membersOf, nameOf } from './interfaces.js';
import { siteLink, table } from './markdown.js';

/** Returns the page about the admin routes, generated from the route table and its types. */
export function adminRoutesPage(): string {
  const routes: AdminRoutes = { ...adminRoutes, ...spaceRoutes({} as Spaces) } as AdminRoutes;
  const sections = ['AdminApi', 'SpacesApi'].flatMap((api) =>
    fieldsOf(api).map(({ name, doc, node }) => routeSection(name, doc, node, routes)),
  );
  const types: string[] = [];
  // The set grows during the loop, because the types refer to other types.
  for (const name of mentioned) types.push(typeSection(name));
  return `${[
    '<!-- Generated from the admin routes by tools/reference.ts. -->',
    '# Admin routes',
    lead,
    ...sections,
    '## Types',
    'Fields with a question mark are optional.',
    ...types,
  ].join('\n\n')}\n`;
}

const lead = `Look up the routes for [controlling a mock server from another process](../testing/mock-server-over-http.md#control-the-server-from-another-process). The routes are under \`/__admin\` at the root URL and in each space, except that the routes for managing spaces exist only at the root URL. To call the API's read operations with no credential and no side effects, use [\`GET /organizations/{id}/api/v1/…\`](../testing/mock-server-over-http.md#control-the-server-from-another-process).

Successful requests return 200 with \`{ "data": … }\`, or 204 without a body. Errors return \`{ "message": … }\`. Every route can also return these errors:

| status | reason |
| --- | --- |
| 400 | The body isn't valid JSON, or the \`Host\` header is invalid. |
| 401 | The [admin token](../testing/host-a-mock-server.md#protect-the-admin-routes) is missing or wrong. |
| 403 | The request comes from a page on another origin, or its hostname isn't allowed. |
| 404 | The route or space doesn't exist. |
| 405 | The route doesn't support this method. |
| 413 | The body is larger than 16 MiB, or 128 MiB for seed data. |
| 422 | The query, the body, or the token in the path is invalid. For example, a field, operation, or token is unknown. |
| 500 | The server can't write the [state file](../testing/host-a-mock-server.md#save-the-state-to-a-file). |

## Events

\`GET /__admin/events\` streams a space's changes as [server-sent events](https://developer.mozilla.org/docs/Web/API/Server-sent_events): \`curl -N http://127.0.0.1:4010/__admin/events\`.

| event | data |
| --- | --- |
| \`ready\` | The first event. Contains \`space\`, \`revision\`, the number of \`requests\` in the journal, and \`clock\`. |
| \`request\` | Sent for each request. Contains the request and its response status, in the same format as in the journal. If the request body is longer than about 32,000 characters, the event contains \`bodyOmitted: true\` instead of the body. To get the response body, use \`GET /requests/{id}\`. |
| \`cleared\` | Sent when the journal is cleared. |
| \`state\` | Sent when the state changes. Contains the new \`revision\` and \`changed\`, which lists the \`kinds\` of changed records (such as \`tickets\`) and the IDs of the \`boards\` whose tickets changed (but not boards that tickets only moved away from). \`changed\` is omitted if any record may have changed, for example after a reset. |
| \`clock\` | Sent when the clock is set, advanced, stopped, or started. Contains \`now\` and \`frozen\`. |
| \`faults\` | Sent when the rate limit changes, or when a fault is added, removed, or applied to a request. Contains the active \`faults\` and the \`rateLimit\`. |
| \`dropped\` | Sent if the server dropped events because the client read them too slowly. Contains their \`count\`. |

The server sends \`state\`, \`clock\`, and \`faults\` events at most once every 250 ms. A space can have up to 32 open streams. The server buffers up to 1 MiB of events for each stream.`;

function routeSection(name: string, doc: string, node: ts.TypeNode, routes: AdminRoutes): string {
  const { status = 0, errors = [] } = routes[name] ?? {};
  const types = new Map(membersOf(node).map((member) => [nameOf(member), member.type as ts.TypeNode]));
  const lines = ['query', 'body'].flatMap((part) => {
    const type = types.get(part);
    return type ? [`- **${part}:** ${describe(type)}`] : [];
  });
  const response = types.get('response');
  const data = response && response.getText() !== 'Response' ? ` with ${describe(response)}` : '';
  lines.push(`- **response:** ${status}${data}`);
  if (errors.length > 0) lines.push(`- **errors:** ${errors.join(', ')}`);
  return `## \`${name}\`\n\n${doc}\n\n${lines.join('\n')}`;
}

/** The API's records, whose fields are in the specification. */
const records: ReadonlySet<string> = new Set([
  'Organization',
  'Project',
  'Board',
  'Ticket',
  'Document',
  'TicketComment',
  'DocumentComment',
  'Member',
  'Label',
]);

/** Types that the API reference describes. */
const inReference = /Seed$|^(World|Deployment|Fault|RateLimitOptions|RecordedRequest)$/;

const referenceLink = (name: string) => siteLink(name, `./api/mock-server/interfaces/${name}`);

/** The types to explain at the end of the page, in the order in which the routes mention them. */
const mentioned = new Set<string>();

/** Describes a type, with a link if it's an interface or a list of interfaces. */
function describe(type: ts.TypeNode): string {
  if (ts.isUnionTypeNode(type) && !type.types.every(ts.isLiteralTypeNode) && linkable(type)) {
    return type.types
      .map(describe)
      .filter((text) => text !== '`undefined`')
      .join(' or ');
  }
  const text = textOfType(type);
  const [, name = '', list] = /^(?:\w+<)?(\w+)>?(\[\])?(?:\[keyof \w+\])?$/.exec(text) ?? [];
  if (!isInterface(name)) return code(text);
  if (records.has(name))
    return `${list ? 'a list of ' : ''}[\`${name}\`](../specification.md#response-fields)`;
  if (inReference.test(name)) return `${list ? 'a list of ' : ''}${referenceLink(name)}`;
  mentioned.add(name);
  return `${list ? 'a list of ' : ''}[\`${name}\`](#${name.toLowerCase()})`;
}

const isInterface = (name: string) => {
  const { node } = declarations.get(name) ?? {};
  return node !== undefined && ts.isInterfaceDeclaration(node) && name !== 'StateDump';
};

/** Returns whether a union mentions an interface. */
const linkable = ({ types }: ts.UnionTypeNode) => types.some((type) => /^(\[`|<a )/.test(describe(type)));

/** Interfaces whose fields aren't repeated in the interfaces that extend them. */
const commonParents = ['Fault'];

function typeSection(name: string): string {
  const { doc, node } = declarations.get(name) as Declaration;
  const heritage = ts.isInterfaceDeclaration(node) ? (node.heritageClauses ?? []) : [];
  const extended = heritage.flatMap(({ types }) => types.map(({ expression }) => expression.getText()));
  const parents = extended.filter((parent) => commonParents.includes(parent));
  const inherited = new Set(parents.flatMap((parent) => fieldsOf(parent).map((field) => field.name)));
  const rows = fieldsOf(name)
    .filter((field) => !inherited.has(field.name))
    .map((field) => [
      `\`${field.name}${field.isOptional ? '?' : ''}\``,
      describe(field.node),
      field.doc.replaceAll('|', '\\|'),
    ]);
  const columns = rows.some(([, , meaning]) => meaning) ? 3 : 2;
  const also = parents.map((parent) => `Also has the fields of ${referenceLink(parent)}.`);
  return [
    `### ${name}`,
    [doc, ...also].filter(Boolean).join(' '),
    table(
      ['field', 'type', 'meaning'].slice(0, columns),
      rows.map((row) => row.slice(0, columns)),
    ),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;

function textOfType(node: ts.TypeNode): string {
  const text = node
    .getText()
    .replace(/\s+/g, ' ')
    .replaceAll('readonly ', '')
    .replace(' | undefined', '')
    .replace(/\bOpen<(.+?)>/, '($1)');
  const general = typesByOperation[text.replace(/<.*/, '')];
  return general ?? text;
}

/** The general form of the types that depend on the operation. */
const typesByOperation: Record<string, string> = {
  RecordedOperation: 'OperationId',
  RecordedParams: 'Record<string, string>',
  ByOperation: 'unknown',
};
