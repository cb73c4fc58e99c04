import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { type PlaywrightSpace, playwrightFixtures, type SpaceHost } from '../../testing/playwright.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { 0: openHost } = playwrightFixtures.spaceHost;

/** Runs a test the way Playwright does: sets up the fixture before the test and cleans it up afterward. */
async function withSpace(
  spaceHost: SpaceHost,
  body: Parameters<typeof playwrightFixtures.space>[1],
  testInfo: Partial<Parameters<typeof playwrightFixtures.space>[2]> = {},
  mockOptions: Parameters<typeof playwrightFixtures.space>[0]['mockOptions'] = {},
): Promise<void> {
  const info = { testId: 'test', retry: 0, status: 'passed', expectedStatus: 'passed', attach: vi.fn() };
  await playwrightFixtures.space({ spaceHost, mockOptions }, body, { ...info, ...testInfo });
}

test('Playwright tests can use the fixtures, which attach the journal to a test that fails', async () => {
  const output = await temporaryFolder();

  const [first] = await runPlaywright(output);
  const specs = [first, ...(first?.suites ?? [])].flatMap((suite) => suite?.specs ?? []);
  const results = specs.map(({ title, tests }) => ({ title, ...tests[0].results[0] }));
  const failed = results.filter(({ status }) => status !== 'passed');

  expect(results).toHaveLength(9);
  expect(failed.map(({ title }) => title)).toEqual(['an unhandled request', 'a failed test']);
  expect(failed[0]?.error?.message).toContain('Expected no unhandled requests, but received 1');
  const { body = '' } = failed[1]?.attachments.find(({ name }) => name === 'worktrack-requests.json') ?? {};
  expect(JSON.parse(Buffer.from(body, 'base64').toString())).toMatchObject([
    { operation: 'projects.create', body: { name: 'Apollo', key: 'APO' }, status: 201 },
  ]);
  expect(results.flatMap(({ attachments }) => attachments.map(({ name }) => name))).toHaveLength(
    failed.flatMap(({ attachments }) => attachments).length,
  );
}, 120_000);

test('the fixtures use a running mock server if WORKTRACK_BASE_URL is set', async () => {
  await using server = await listen({ adminToken: 'a-secret-token' });
  vi.stubEnv('WORKTRACK_BASE_URL', `${server.url}/api/v1/`);
  vi.stubEnv('WORKTRACK_ADMIN_TOKEN', 'a-secret-token');
  onTestFinished(() => void vi.unstubAllEnvs());

  await openHost({ mockServerUrl: undefined }, async (host) => {
    expect(host.url).toBe(server.url);
    await withSpace(host, async ({ name, baseUrl }) => {
      expect(await spacesOf(server.url)).toEqual([name]);
      expect(baseUrl).toBe(`${server.url}/spaces/${name}`);
    });
    expect(await spacesOf(server.url)).toEqual([]);
  });
  // The fixtures didn't start the server, so they must not stop it.
  expect(await spacesOf(server.url)).toEqual([]);
});

test("the client allows tickets without a board if the space's seed data has a default board", async () => {
  const world = {
    settings: { default_board: 'To do' },
    organizations: [{ name: 'Acme', projects: [{ name: 'P', boards: [{ name: 'To do' }] }] }],
  };
  await openHost({ mockServerUrl: undefined }, async (spaceHost) => {
    const body = (space: PlaywrightSpace) =>
      playwrightFixtures.client({ space }, async (client) => {
        const [project] = await client.projects.list();
        const ticket = await client.tickets.create(`${project?.id}`, { title: 'Radio' } as never);
        expect(ticket.number).toBe(1);
      });
    await withSpace(spaceHost, body, {}, { world });
  });
});

test('mockServerUrl takes precedence over WORKTRACK_BASE_URL', async () => {
  await using server = await listen();
  vi.stubEnv('WORKTRACK_BASE_URL', 'http://127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());

  await openHost({ mockServerUrl: server.url }, async (host) => expect(host.url).toBe(server.url));
});

test('each worker stops the mock server that it started', async () => {
  let url = '';
  await openHost({ mockServerUrl: undefined }, async (host) => {
    url = host.url;
  });

  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test("a test's space is deleted even if attaching the journal fails", async () => {
  await openHost({ mockServerUrl: undefined }, async (host) => {
    const attach = () => Promise.reject(new Error('disk full'));

    await expect(withSpace(host, async () => {}, { status: 'timedOut', attach })).rejects.toThrow(
      'disk full',
    );
    expect(await spacesOf(host.url)).toEqual([]);
  });
});

test('the journal is attached to a test that fails only because of an unhandled request', async () => {
  await openHost({ mockServerUrl: undefined }, async (host) => {
    const attach = vi.fn();
    const body = async ({ baseUrl }: { baseUrl: string }) => void (await fetch(`${baseUrl}/api/v1/tickts`));

    await expect(withSpace(host, body, { attach })).rejects.toThrow('Expected no unhandled requests');
    expect(attach).toHaveBeenCalledWith('worktrack-requests.json', {
      body: expect.stringContaining('/api/v1/tickts'),
      contentType: 'application/json',
    });
  });
});

test("the fixtures report a server that is unreachable or isn't a mock server", async () => {
  await using server = await listen();
  const open = (mockServerUrl: string) =>
    openHost({ mockServerUrl }, (host) => withSpace(host, async () => {}));

  await expect(open('http://127.0.0.1:9')).rejects.toThrow(
    'POST http://127.0.0.1:9/__admin/spaces failed; is the mock server running?',
  );
  await expect(open(`${server.url}/elsewhere`)).rejects.toThrow('responded with 404');
});

async function spacesOf(url: string): Promise<unknown> {
  const headers = { authorization: 'Bearer a-secret-token' };
  return (await (await fetch(`${url}/__admin/spaces`, { headers })).json()).data;
}

interface Suite {
  specs: { title: string; tests: [{ results: [Result] }] }[];
  suites?: Suite[];
}

interface Result {
  status: string;
  error?: { message: string };
  attachments: { name: string; body?: string }[];
}

function runPlaywright(output: string): Promise<Suite[]> {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const folder = fileURLToPath(new URL('playwright', import.meta.url));
  const env = { ...process.env, PLAYWRIGHT_OUTPUT: output, WORKTRACK_BASE_URL: '', NODE_OPTIONS: '' };
  return new Promise((resolve, reject) => {
    // Playwright exits with code 1, because some of the tests fail on purpose.
    execFile(process.execPath, [cli, 'test', '-c', folder], { env }, (_error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout).suites);
      } catch {
        reject(new Error(`Playwright reported no results: ${stdout}${stderr}`));
      }
    });
  });
}
