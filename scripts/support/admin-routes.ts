import ts from 'typescript';
import type { AdminRoutes } from '../../mock-server/node/admin/admin-route.js';
import { adminRoutes } from '../../mock-server/node/admin/routes.js';
import { spaceRoutes } from '../../mock-server/node/admin/space-routes.js';
import type { Spaces } from '../../mock-server/node/spaces.js';
import { type Declaration, declarations, fieldsOf, membersOf, nameOf } from './interfaces.js';

/** Returns the page about the admin routes, generated from the route table and its types. */
export function adminRoutesPage(): string {
  const routes: AdminRoutes = { ...adminRoutes, ...spaceRoutes({} as Spaces) } as AdminRoutes;
  const sections = ['AdminApi', 'SpacesApi'].flatMap((api) =>
    fieldsOf(api).map(({ name, doc, node }) => routeSection(name, doc, node, routes)),
  );
  const types: string[] = [];
  // The set grows during the loop, because types mention others.
  for (const name of mentioned) types.push(typeSection(name));
  return `${[
    '<!-- Generated from the admin routes by scripts/reference.ts. -->',
    '# Admin routes',
    lead,
    ...sections,
    '## Types',
    ...types,
  ].join('\n\n')}\n`;
}

const lead = `Use the admin routes to [control a mock server from another process](../testing/mock-server-over-http.md#control-the-server-from-another-process). They're under \`/__admin\`, at the root and in each space. The routes for spaces exist only at the root.

Successful requests return 200 with \`{ "data": … }\`, or 204 without a body. Errors return \`{ "message": … }\`. In addition to the errors below, every route can return [these errors](../testing/mock-server-over-http.md#control-the-server-from-another-process).`;

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

/** The types to explain at the end of the page, in the order in which the routes mention them. */
const mentioned = new Set<string>();

/** Describes a type, with a link if it's an interface or a list of them. */
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
  mentioned.add(name);
  return `${list ? 'a list of ' : ''}[\`${name}\`](#${name.toLowerCase()})`;
}

const isInterface = (name: string) => {
  const { node } = declarations.get(name) ?? {};
  return node !== undefined && ts.isInterfaceDeclaration(node) && name !== 'StateDump';
};

/** Returns whether a union mentions an interface. */
const linkable = ({ types }: ts.UnionTypeNode) => types.some((type) => /\[`/.test(describe(type)));

function typeSection(name: string): string {
  const rows = fieldsOf(name).map(
    ({ name: field, doc, node, isOptional }) =>
      `| \`${field}\` | ${describe(node)} | ${[isOptional && 'Optional.', doc].filter(Boolean).join(' ').replaceAll('|', '\\|')} |`,
  );
  const { doc } = declarations.get(name) as Declaration;
  return [`### ${name}`, doc, ['| field | type | meaning |', '| --- | --- | --- |', ...rows].join('\n')]
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
