import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import type { UserConfig } from 'vitepress';

type Plugin = Extract<NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number], { name: string }>;

/**
 * Compiles `some-example.ts?live` to `export default async (scope) => …`, a function that can run many times
 * and prints to `scope.console`. `scope.modules` overrides imports, so the page can choose the server an
 * example connects to.
 */
export function liveExamples(): Plugin {
  return {
    name: 'worktrack:live-examples',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('?live')) return undefined;
      const file = id.slice(0, -'?live'.length);
      this.addWatchFile(file);
      const { outputText } = ts.transpileModule(await readFile(file, 'utf8'), {
        compilerOptions: {
          target: ts.ScriptTarget.ES2022,
          module: ts.ModuleKind.ESNext,
          verbatimModuleSyntax: true,
        },
      });
      return asFunction(outputText, file);
    },
  };
}

function asFunction(code: string, file: string): string {
  const imports: string[] = [];
  const bindings: string[] = [];
  const body = code.replace(
    /^import \{([^}]*)\} from ['"]([^'"]+)['"];$/gm,
    (_, names: string, from: string) => {
      const module = `module${imports.length}`;
      imports.push(`import * as ${module} from ${JSON.stringify(from)};`);
      bindings.push(
        `const {${names.replaceAll(' as ', ': ')}} = { ...${module}, ...scope.modules[${JSON.stringify(from)}] };`,
      );
      return '';
    },
  );
  if (/^(import|export)\b/m.test(body)) throw new Error(`${file}: examples can use only named imports`);
  return [
    ...imports,
    'export default async function (scope) {',
    'const { console } = scope;',
    ...bindings,
    body,
    '}',
  ].join('\n');
}
