import { createConnection } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { isLong, runs, seed } from '../properties/runs.js';
import { world } from '../unit/server/support/server.js';
import { exceededLimits, measureResources } from './support/resources.js';

/** `npm run fuzz` runs the long version. */
const count = runs({ quick: 200, long: 20_000 });
const limits = { cpu: 40, blocked: 2000, rss: 700 };

interface HostileRequest {
  method: string;
  path: string;
  host: string;
  headers: [string, string][];
  body: string;
}

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const body = fc.oneof(
  fc.json({ maxDepth: 5 }),
  fc.string({ maxLength: 300, unit: 'binary' }),
  fc.constantFrom(
    '',
    'null',
    '{"title":"New"}',
    '{"__proto__":{"polluted":true},"title":"x"}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    nested(5000, '[', ']'),
    `{"title":"x","extra":${nested(5000, '{"a":', '}').replace(/:}/, ':1}')}}`,
    nested(100_000, '[', ''),
    `{"label_ids":[${'5,'.repeat(20_000)}5]}`,
    `{"label_ids":[${'"a",'.repeat(20_000)}"a"]}`,
    `{"title":"${'x'.repeat(200_000)}"}`,
    `{"title":${'9'.repeat(10_000)}}`,
    `{"description_html":"${'<b>'.repeat(50_000)}"}`,
    `{"due_at":"+99999-01-01T00:00:00Z"}`,
    `{${Array.from({ length: 5000 }, (_, index) => `"f${index}":1`).join(',')}}`,
  ),
);

const apiPath = fc
  .constantFrom(
    '/tickets/tkt_1',
    '/tickets/%zz',
    '/tickets/__proto__',
    '/projects/prj_apollo/tickets?per_page=1e9&page=-1',
    `/projects/prj_apollo/tickets?q=${'%C3%A4'.repeat(500)}`,
    '/projects/prj_apollo/tickets/reorder',
    '/projects/prj_apollo/boards/reorder',
    '/organizations/org_acme/documents',
    '/organizations/org_acme/notifications',
    `/${'x'.repeat(4000)}`,
    '//',
    '/../../__admin/state',
  )
  .map((path) => `/api/v1${path}`);

const adminPath = fc
  .constantFrom(
    '/',
    '/requests',
    '/faults',
    '/clock',
    '/state',
    '/records/ticket',
    '/rate-limit',
    '/requests/expect',
  )
  .map((path) => `/__admin${path}`);

const header = fc.tuple(
  fc.constantFrom('authorization', 'content-type', 'origin', 'x-odd', 'cookie', 'accept'),
  fc.oneof(
    fc.constant('Bearer wt_ci'),
    fc.string({ maxLength: 60 }).map(printable),
    fc.constant('x'.repeat(4000)),
  ),
);

const hostileRequest: fc.Arbitrary<HostileRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'),
  path: fc.oneof({ weight: 4, arbitrary: apiPath }, { weight: 1, arbitrary: adminPath }),
  host: fc.oneof(
    { weight: 3, arbitrary: fc.constant('127.0.0.1') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('x:99999', '[::1', 'evil.example', '127.0.0.1:4010', '1.2.3.4.5', 'ü'),
    },
  ),
  headers: fc.array(header, { maxLength: 4 }),
  body,
});

const context = `seed ${seed}`;

test(`the mock server and its admin routes handle ${count} hostile HTTP requests without exceeding resource limits`, async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  await using server = await listen({ world, journalBytes: 16 * 2 ** 20 });
  const port = Number(new URL(server.url).port);
  const inputs = fc.sample(hostileRequest, { numRuns: count, seed });
  const statuses = new Map<number, number>();
  const measuring = measureResources();
  for (let index = 0; index < inputs.length; index += 8) {
    const batch = inputs.slice(index, index + 8);
    for (const status of await Promise.all(batch.map((input) => sendRaw(port, input)))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    // Undo anything that the requests may have done through the admin routes, because it would affect the
    // checks below.
    server.mock.faults.clear();
    server.mock.clock.set('2026-01-01T00:00:00Z');
  }
  const used = measuring.stop(count);

  if (isLong) console.info(`${count} requests, seed ${seed}:`, used);
  expect(exceededLimits(used, limits), context).toEqual([]);
  expect(printed.mock.calls, context).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(statuses.has(500), context).toBe(false);
  // Make sure that some requests were accepted and others rejected.
  expect(
    [200, 400, 403].filter((status) => !statuses.has(status)),
    context,
  ).toEqual([]);
  for (const path of ['/state', '/requests', '/requests?operation=tickets.update', '/faults']) {
    expect((await fetch(`${server.url}/__admin${path}`)).status, path).toBe(200);
  }
  expect(() => server.mock.requests.expect('tickets.delete', { status: 999 })).toThrow(
    'Expected a tickets.delete',
  );
  server.mock.reset();
  const ticket = await fetch(`${server.url}/api/v1/tickets/tkt_1`, {
    headers: { authorization: 'Bearer wt_ci' },
  });
  expect(ticket.status).toBe(200);
}, 3_600_000);

/**
 * Sends a request as raw bytes, because HTTP clients reject invalid requests. Returns the status, or 0 if the
 * server closed the connection.
 */
function sendRaw(port: number, { method, path, host, headers, body }: HostileRequest): Promise<number> {
  return new Promise((resolve) => {
    const bytes = Buffer.from(body);
    const lines = [
      ['host', host],
      ...Object.entries(authorized(headers)),
      ['connection', 'close'],
      ['content-length', String(bytes.length)],
    ];
    const socket = createConnection(port, '127.0.0.1', () => {
      socket.write(
        `${method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
        'utf8',
      );
      socket.write(bytes);
    });
    let status = 0;
    socket.on('data', (chunk) => {
      status ||= Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 0);
      // Disconnect from event streams, because they never end.
      if (path.endsWith('/events')) socket.destroy();
    });
    socket.setTimeout(20_000, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve(status));
  });
}

/** Adds a valid credential, because otherwise almost every request would be rejected with 401. */
const authorized = (headers: readonly [string, string][]): Record<string, string> => ({
  authorization: 'Bearer wt_ci',
  ...Object.fromEntries(headers.filter(([name]) => name !== 'authorization')),
});

/** Replaces control and non-ASCII characters, many of which Node.js rejects in headers. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
