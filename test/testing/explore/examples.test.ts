import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { inject, test, vi } from 'vitest';
import { Worktrack } from 'worktrack';
import { type Check, noUnhandledRejections } from 'worktrack/explore';
import * as mockServer from 'worktrack/mock-server';
import { expect } from 'worktrack/testing/vitest';
import { acme } from '../../../examples/support/connect.js';

import { runWords } from '../../unit/cli/support/run.js';
import { exploreFaults, isLong, limitedTo } from './support/explore-faults.js';

const modules: Record<string, () => Promise<object>> = {
  worktrack: () => import('worktrack'),
  'worktrack/jobs': () => import('worktrack/jobs'),
  'worktrack/mcp': () => import('worktrack/mcp'),
  '@modelcontextprotocol/client': () => import('@modelcontextprotocol/client'),
  './support/connect.js': () => import('../../../examples/support/connect.js'),
  './support/draw-board.js': () => import('../../../examples/support/draw-board.js'),
};

type Program = (load: (name: string) => object, console: object) => Promise<void>;

/** Compiles an example to a function, which can run repeatedly, each time with a different server. */
async function compile(file: string): Promise<{ program: Program; imported: Record<string, object> }> {
  const { code } = await transform(await readFile(new URL(file, folder), 'utf8'), { loader: 'ts' });
  const imported: Record<string, object> = {};
  const names: string[] = [];
  const body = code.replace(/^import (\{[^}]*\}) from "([^"]+)";$/gm, (_, bindings: string, name: string) => {
    names.push(name);
    return `const ${bindings.replaceAll(' as ', ': ')} = load("${name}");`;
  });
  for (const name of names) imported[name] = (await modules[name]?.()) ?? {};
  const AsyncFunction = (async () => {}).constructor as new (...words: string[]) => Program;
  return { program: new AsyncFunction('load', 'console', body), imported };
}

const folder = new URL('../../../examples/', import.meta.url);
const others = ['import-csv.ts', 'sync-csv.ts', 'explore-failures.ts'];
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !others.includes(name));
vi.setConfig({ testTimeout: 150_000 });

/** Everything else belongs to a project or a document, or can't be deleted. */
const leavesNothing: Check = async ({ rerun }) => {
  const { error, after } = await rerun();
  if (error !== undefined) throw error;
  expect([after.projects, after.documents]).toEqual([[], []]);
};

test.each(files)(
  '%s can run again after every injected failure and leaves no records behind',
  async (file) => {
    const { program, imported } = await compile(file);
    const run = (createMockServer: typeof mockServer.createMockServer, client: Worktrack) => {
      const replaced: Record<string, object> = {
        'worktrack/mock-server': { createMockServer },
        './support/connect.js': {
          ...imported['./support/connect.js'],
          connect: () => ({ client, place: 'a mock server' }),
        },
      };
      return program((name) => replaced[name] ?? imported[name] ?? {}, { log() {} });
    };
    // Some examples create their own mock server, so explore a server with the same options.
    let options: mockServer.MockServerOptions | undefined;
    const other = mockServer.createMockServer({ world: acme });
    await run(
      (chosen = {}) => {
        options = chosen;
        return mockServer.createMockServer(chosen);
      },
      new Worktrack({ ...other.clientOptions(), fetch: other.fetch }),
    );
    const mock = mockServer.createMockServer(options ?? { world: acme });
    const restore = mock.checkpoint();
    const report = await exploreFaults(
      mock,
      ({ client }) =>
        run(() => {
          restore();
          return mock;
        }, client),
      {
        runTimeout: 60_000,
        check: options ? noUnhandledRejections() : [leavesNothing, noUnhandledRejections()],
        ...limitedTo(4),
      },
    );
    expect(report).toSurvive();
  },
);

test.each([
  ['import-csv', ''],
  ['sync-csv', ' --apply'],
])('%s.ts continues after every injected failure without creating duplicates', async (name, words) => {
  const seed = fileURLToPath(new URL('../../cli/programs/seed.json', import.meta.url));
  const program = join(inject('programs'), `${name}.mjs`);
  const rows = 'key,title,board\\nA,Fuel,to-do\\nB,Doors,to-do\\n';
  const exec = `cd "$WORKTRACK_RUN_DIR" && printf '${rows}' > a.csv && "${process.execPath}" "${program}" a.csv prj_apollo${words}`;
  const limit = isLong ? [] : ['--max-runs', '3'];
  const { output } = await runWords(['explore', '--exec', exec, '--seed', seed, ...limit], {
    env: process.env,
  });
  expect(output).toMatch(/^The command survived (\d+) of \1 runs/);
});
