import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';

/**
 * Takes a constant marked pure as pure as a whole. `PURE` before `z.object({ a: z.string() })` covers
 * the outer call alone, by the rules of bundlers: the inner ones, and what is spread, would stay in
 * the bundle of a user who needs none of them. Inside a function that is marked, all of it goes.
 */
export const pureConstants: Plugin = {
  name: 'pure-constants',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/contract\/.*\.ts$/ }, async ({ path }) => ({
      contents: wrapped(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

function wrapped(text: string): string {
  const { statements } = ts.createSourceFile('contract.ts', text, ts.ScriptTarget.Latest);
  const values = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => (initializer ? [{ start: initializer.pos, end: initializer.end }] : []))
    .filter(({ start, end }) => text.slice(start, end).trimStart().startsWith('/* @__PURE__ */'));
  return values.reduceRight(
    (result, { start, end }) =>
      `${result.slice(0, start)} /* @__PURE__ */ (() => (${result.slice(start, end)}))()${result.slice(end)}`,
    text,
  );
}
