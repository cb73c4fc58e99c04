import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const file = fileURLToPath(new URL('./operation-examples.ts', import.meta.url));

/** Returns the source code of each operation's example. */
export function operationSources(): Map<string, string> {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const calls = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (
      ts.isPropertyAssignment(node) &&
      ts.isStringLiteral(node.name) &&
      ts.isArrowFunction(node.initializer)
    ) {
      calls.set(node.name.text, dedent(node.initializer.body.getText(source)));
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

/** Removes the indentation shared by all lines after the first. */
function dedent(code: string): string {
  const [first = '', ...rest] = code.split('\n');
  const depth = Math.min(...rest.map((line) => line.search(/\S|$/)));
  return [first, ...rest.map((line) => line.slice(depth))].join('\n');
}
