import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../entries.js';
import { isGenerated, withoutCopiedCode } from './copied-parts.js';

/** A `ts` code block in a guide. */
export interface GuideBlock {
  /** The page's path, relative to `docs`. */
  page: string;
  /** The block's number on the page, starting at 1. */
  number: number;
  /** The code that the page shows. */
  code: string;
  /** Imports and declarations that the code needs. Empty if the code already creates a client or mock server. */
  prelude: string;
  /** Whether the code can run. Blocks marked `ts no-run` are compiled but not run. */
  run: boolean;
}

/** The folder for resolving relative imports in modules returned by `moduleOf()`. */
export const moduleFolder = join(root, 'test/docs/written');

// Unlike static imports, dynamic imports can't conflict with the block's own imports.
const sharedPrelude = `import { apolloNow, apolloWorld } from '../../../docs/.vitepress/content/world.js';

const mock = (await import('worktrack/mock-server')).createMockServer({ now: apolloNow, world: apolloWorld });
const client = new (await import('worktrack')).Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
`;

/** Returns the paths of all hand-written pages that can contain code blocks. */
export const guidePages = (): string[] =>
  ['', 'guide/', 'testing/', 'examples/', 'contributing/'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder))
      .filter((name) => name.endsWith('.md') && !isGenerated(`${folder}${name}`))
      .map((name) => `${folder}${name}`),
  );

/** Returns a page's `ts` code blocks. They can use `mock` and `client`, with the Apollo project as seed data. */
export const guideBlocks = (page: string): GuideBlock[] =>
  [...withoutCopiedCode(textOf(page)).matchAll(/^```ts([^\n]*)\n(.*?)^```$/gms)].map(
    ([, info = '', code = ''], index) => ({
      page,
      number: index + 1,
      code,
      prelude: /\bconst (client|mock)\b/.test(code) ? '' : sharedPrelude,
      run: !info.includes('no-run'),
    }),
  );

/** Returns the file name and source of a block's module. */
export const moduleOf = ({ page, number, code, prelude }: GuideBlock) => ({
  file: join(moduleFolder, `${page.replace(/\W/g, '-')}-${number}.ts`),
  source: `${prelude}${code}\nexport {};\n`,
});

const textOf = (page: string): string => readFileSync(join(root, 'docs', page), 'utf8');
