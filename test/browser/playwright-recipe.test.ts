import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type APIRequestContext, type Browser, request } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchChromium } from '../../scripts/support/chromium.js';

// Runs the guide's recipe unchanged. This file provides the parts of Playwright's test runner that it uses.

const root = fileURLToPath(new URL('../..', import.meta.url));
const port = await freePort();
const [config = '', fixture = ''] = blocksOf(
  readFileSync(`${root}docs/testing/mock-server-over-http.md`, 'utf8'),
);

interface Space {
  baseUrl: string;
  token: string;
}

type Fixtures = {
  space(
    context: { request: APIRequestContext },
    use: (space: Space) => Promise<void>,
    info: { testId: string },
  ): Promise<void>;
};

let folder: string;
let server: ChildProcess;
let browser: Browser;
let context: APIRequestContext;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'worktrack-recipe-'));
  writeFileSync(join(folder, 'world.json'), JSON.stringify(world));
  const { webServer } = (await load('playwright.config.mjs', config)).default as {
    webServer: { command: string; url: string };
  };
  const [runner, name, ...words] = webServer.command.split(' ');
  expect([runner, name]).toEqual(['npx', 'worktrack']);
  server = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), `${root}cli/main.ts`, ...words], {
    cwd: folder,
  });
  context = await request.newContext();
  browser = await launchChromium();
  // Playwright also waits until the URL responds.
  await vi.waitFor(async () => expect((await context.get(webServer.url)).ok()).toBe(true), {
    timeout: 30_000,
  });
});
afterAll(async () => {
  server?.kill();
  await browser?.close();
  await context?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test('the Playwright recipe gives each test its own space, which a page can reach', async () => {
  const code = fixture.replace(/^import .*$/m, 'const base = { extend: (fixtures) => fixtures };');
  const { space } = (await load('fixture.mjs', code)).test as Fixtures;
  const page = await browser.newPage();
  const create = (space: Space, board: string) =>
    page.evaluate(
      async ({ baseUrl, token, board }) => {
        const response = await fetch(`${baseUrl}/api/v1/projects/prj_apollo/tickets`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ board_id: board, title: 'Land' }),
        });
        return [response.status, (await response.json()).code];
      },
      { ...space, board },
    );
  const play = (testId: string, body: (space: Space) => Promise<void>) =>
    space({ request: context }, body, { testId });

  await play('one', async (own) => {
    expect(await create(own, 'brd_doing')).toEqual([201, undefined]);
    expect(await create(own, 'brd_doing')).toEqual([422, 'wip_limit_reached']);
    await play('two', async (other) => expect(await create(other, 'brd_doing')).toEqual([201, undefined]));
  });
  const remaining = await context.get(`http://127.0.0.1:${port}/__admin/spaces`);
  expect(JSON.stringify(await remaining.json())).not.toMatch(/"(one|two)"/);
});

const world = {
  organizations: [
    {
      name: 'Acme',
      credentials: [{ token: 'wt_ci', name: 'CI bot', scopes: ['*'] }],
      projects: [
        {
          id: 'prj_apollo',
          name: 'Apollo',
          key: 'APO',
          boards: [{ id: 'brd_doing', name: 'Doing', wip_limit: 1 }],
        },
      ],
    },
  ],
};

/** The recipe's two blocks, with a free port. */
function blocksOf(guide: string): string[] {
  const [, recipe = ''] = /^## Browser tests with Playwright$(.*?)^## /ms.exec(guide) ?? [];
  return [...recipe.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) =>
    code.replaceAll('4010', String(port)),
  );
}

async function load(name: string, code: string): Promise<Record<string, unknown>> {
  const file = join(folder, name);
  writeFileSync(file, code);
  return import(/* @vite-ignore */ file);
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as { port: number };
      probe.close(() => found(free));
    });
  });
}
