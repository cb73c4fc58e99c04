import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expect as playwrightExpect, playwrightFixtures } from '../../testing/playwright.js';

// Runs the guide's test with the fixtures, but without Playwright's runner, because the browser is already running.

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(`${root}docs/testing/playwright.md`, 'utf8');
// The folder is inside the checkout so that the code can import the packages.
const folder = join(root, 'test/browser/written');

let browser: Browser;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  browser = await chromium.connect(inject('browser'));
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Body = (fixtures: object) => Promise<void>;

test("the guide's Playwright test passes against a page that creates a ticket", async () => {
  const [, code = ''] = /^## Write a test$.*?^```js\n(.*?)^```$/ms.exec(guide) ?? [];
  Object.assign(globalThis, { playwrightExpect });
  writeFileSync(join(folder, 'fixtures.js'), standIn);
  writeFileSync(join(folder, 'guide.spec.js'), code.replace('worktrack/testing/playwright', './fixtures.js'));
  const { tests } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'fixtures.js')).href)) as {
    tests: Body[];
  };
  await import(/* @vite-ignore */ pathToFileURL(join(folder, 'guide.spec.js')).href);

  expect(tests).toHaveLength(1);
  await withFixtures(async (fixtures) => {
    const app = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(appPage);
    });
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    const { port } = app.address() as AddressInfo;
    const context = await browser.newContext({ baseURL: `http://127.0.0.1:${port}` });
    try {
      await tests[0]?.({ ...fixtures, page: await context.newPage() });
    } finally {
      await context.close();
      app.close();
    }
  });
});

/** Replaces the module that exports the fixtures, because Node.js can't load its TypeScript source. */
const standIn = `export const expect = globalThis.playwrightExpect;
export const tests = [];
export const test = (_title, body) => tests.push(body);
`;

async function withFixtures(body: Body): Promise<void> {
  const info = {
    testId: 'guide',
    retry: 0,
    status: 'passed',
    expectedStatus: 'passed',
    attach: async () => {},
  };
  const [openHost] = playwrightFixtures.spaceHost;
  await openHost({ mockServerUrl: undefined }, (spaceHost) =>
    playwrightFixtures.space(
      { spaceHost, mockOptions: {} },
      (space) => playwrightFixtures.client({ space }, (client) => body({ space, client })),
      info,
    ),
  );
}

/** An app that creates a ticket in the first project. */
const appPage = `<button>Create ticket</button>
<script>
  document.querySelector('button').onclick = async () => {
    const api = (path, init) =>
      fetch(config.baseUrl + '/api/v1' + path, {
        ...init,
        headers: { authorization: 'Bearer ' + config.token, 'content-type': 'application/json' },
      }).then((response) => response.json());
    const { data: projects } = await api('/organizations/' + config.organization + '/projects');
    const [project] = projects;
    const { data: boards } = await api('/projects/' + project.id + '/boards');
    const ticket = { board_id: boards[0].id, title: 'Land' };
    await api('/projects/' + project.id + '/tickets', { method: 'POST', body: JSON.stringify(ticket) });
    document.querySelector('button').insertAdjacentHTML('afterend', '<p role="status">Ticket created</p>');
  };
</script>`;
