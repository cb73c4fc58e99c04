import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../entries.js';

/** A field of an interface. */
export interface Field {
  name: string;
  doc: string;
  node: ts.TypeNode;
  isOptional: boolean;
}

export interface Declaration {
  doc: string;
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
}

/** Returns the fields of an interface, including those that it inherits. */
export function fieldsOf(name: string): Field[] {
  const { node } = declarations.get(name) ?? {};
  if (!node) throw new Error(`${name} isn't declared in ${folders.join(' or ')}`);
  if (ts.isTypeAliasDeclaration(node)) return fieldsOfType(node.type);
  const inherited = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression, typeArguments }) => fieldsOfReference(expression.getText(), typeArguments)),
  );
  return merge(inherited, membersOf(node).map(fieldOf));
}

function fieldsOfType(type: ts.TypeNode): Field[] {
  // The members of a union can share fields.
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(fieldsOfType);
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

export const nameOf = ({ name }: ts.PropertySignature): string =>
  (name as ts.StringLiteral | ts.Identifier).text;

export const membersOf = (node: ts.Node): ts.PropertySignature[] =>
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

const folders = ['mock-server', 'src/contract'];

/** All interfaces and type aliases declared in the folders. */
export const declarations: ReadonlyMap<string, Declaration> = new Map(
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
