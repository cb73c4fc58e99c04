import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { AdminRoutes } from '../../mock-server/node/admin/admin-route.js';
import { adminRoutes } from '../../mock-server/node/admin/routes.js';
import { spaceRoutes } from '../../mock-server/node/admin/space-routes.js';
import type { Spaces } from '../../mock-server/node/spaces.js';
import { root } from '../entries.js';

/** Returns the page about the admin routes, generated from the route table and its types. */
export function adminRoutesPage(): string {
  const routes: AdminRoutes = { ...adminRoutes, ...spaceRoutes({} as Spaces) } as AdminRoutes;
  const sections = ['AdminApi', 'SpacesApi'].flatMap((api) =>
    fieldsOf(api).map(({ name, doc, node }) => routeSection(name, doc, node, routes)),
  );
  return `${[
    '<!-- Generated from the admin routes by scripts/reference.ts. -->',
    '# Admin routes',
    lead,
    ...sections,
    '## Types',
    ...[...mentioned].map(typeSection),
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
  return `## ${name}\n\n${doc}\n\n${lines.join('\n')}`;
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

interface Field {
  name: string;
  doc: string;
  node: ts.TypeNode;
  isOptional: boolean;
}

interface Declaration {
  doc: string;
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
}

/** Returns the fields of an interface, including those that it inherits. */
function fieldsOf(name: string): Field[] {
  const { node } = declarations.get(name) ?? {};
  if (!node) throw new Error(`${name} isn't declared in ${folders.join(' or ')}`);
  if (ts.isTypeAliasDeclaration(node)) return fieldsOfType(node.type);
  const inherited = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression, typeArguments }) => fieldsOfReference(expression.getText(), typeArguments)),
  );
  return merge(inherited, membersOf(node).map(fieldOf));
}

function fieldsOfType(type: ts.TypeNode): Field[] {
  if (ts.isIntersectionTypeNode(type)) return type.types.map(fieldsOfType).reduce(merge);
  if (ts.isTypeReferenceNode(type)) return fieldsOfReference(type.typeName.getText(), type.typeArguments);
  return membersOf(type).map(fieldOf);
}

/** Returns the fields of a type that an interface extends, such as `Omit<CredentialRow, 'scopes'>`. */
function fieldsOfReference(name: string, [first, second]: readonly ts.TypeNode[] = []): Field[] {
  if (declarations.has(name)) return fieldsOf(name);
  if (!first) throw new Error(`${name} isn't declared in ${folders.join(' or ')}`);
  const fields = fieldsOfType(first);
  if (name === 'Omit') return fields.filter((field) => !second?.getText().includes(`'${field.name}'`));
  return fields.map((field) => ({ ...field, isOptional: name === 'Partial' }));
}

const merge = (fields: Field[], others: Field[]): Field[] => [
  ...fields.filter(({ name }) => !others.some((other) => other.name === name)),
  ...others,
];

const fieldOf = (member: ts.PropertySignature): Field => ({
  name: nameOf(member),
  doc: docOf(member),
  node: member.type as ts.TypeNode,
  isOptional: member.questionToken !== undefined,
});

const nameOf = ({ name }: ts.PropertySignature): string => (name as ts.StringLiteral | ts.Identifier).text;

const membersOf = (node: ts.Node): ts.PropertySignature[] =>
  ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node)
    ? node.members.filter(ts.isPropertySignature)
    : [];

/** Returns a declaration's TSDoc on one line, with the default value as a sentence. */
function docOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const tags = (comment?.tags ?? []).filter(({ tagName }) => tagName.text === 'defaultValue');
  return [textOf(comment), ...tags.map((tag) => `The default is \`${textOf(tag)}\`.`)]
    .filter(Boolean)
    .join(' ')
    .replace(/\s*\n- /g, '; ')
    .replace(/:; /, ': ')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ');
}

const textOf = (node: ts.JSDoc | ts.JSDocTag | undefined): string =>
  ts.getTextOfJSDocComment(node?.comment) ?? '';

const folders = ['mock-server', 'src/contract/schemas'];

/** All interfaces and type aliases of the folders. */
const declarations: ReadonlyMap<string, Declaration> = new Map(
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const path = join(root, folder, name);
        const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
        return source.statements
          .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
          .map((node): [string, Declaration] => [node.name.text, { doc: docOf(node), node }]);
      }),
  ),
);
