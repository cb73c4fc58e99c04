import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

// Writes each `ts` block in the guides to a module. Blocks that don't create a client can use `mock` and
// `client`, with the Apollo project as seed data. Blocks marked `ts no-run` are compiled but don't run.

const root = fileURLToPath(new URL('../..', import.meta.url));
const prelude = `import { Worktrack as Client } from 'worktrack';
import { createMockServer as createServer } from 'worktrack/mock-server';
import { apolloNow, apolloWorld } from '../../../docs/.vitepress/content/world.js';

const mock = createServer({ now: apolloNow, world: apolloWorld });
const client = new Client({ ...mock.clientOptions(), fetch: mock.fetch });
`;

const written = join(root, 'test/docs/written');

const blocks = ['', 'guide/', 'testing/', 'contributing/'].flatMap((folder) =>
  readdirSync(join(root, 'docs', folder))
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => blocksOf(`${folder}${name}`)),
);

beforeAll(() => {
  rmSync(written, { recursive: true, force: true });
  mkdirSync(written, { recursive: true });
  for (const { file, code } of blocks) writeFileSync(join(written, file), code);
  writeFileSync(
    join(written, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../tsconfig.json', include: ['*.ts'] }),
  );
});
afterAll(() => rmSync(written, { recursive: true, force: true }));

test('every code block in the guides compiles', () => {
  expect(blocks.length).toBeGreaterThan(20);
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', written], { encoding: 'utf8' });
  expect(stdout).toBe('');
}, 60_000);

describe('the guides', () => {
  const runnable = blocks.filter(({ run }) => run);
  test.each(runnable)('block $number of $page runs', async ({ file }) => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    try {
      await import(join(written, file));
    } finally {
      printed.mockRestore();
    }
  });
});

interface Block {
  page: string;
  number: number;
  file: string;
  code: string;
  run: boolean;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  return [...text.matchAll(/^```ts([^\n]*)\n(.*?)^```$/gms)].map(([, info = '', code = ''], index) => ({
    page,
    number: index + 1,
    file: `${page.replace(/\W/g, '-')}-${index + 1}.ts`,
    code: `${/\bconst (client|mock)\b/.test(code) ? '' : prelude}${code}\nexport {};\n`,
    run: !info.includes('no-run'),
  }));
}
