import { beforeEach, expect, test, vi } from 'vitest';

/** The number of schemas created since the start of the test. */
let made = 0;

vi.mock('zod/mini', async (importOriginal) => {
  const zod = await importOriginal<Record<string, unknown>>();
  const counted = Object.entries(zod).map(([name, value]) => {
    if (typeof value !== 'function' || /^[A-Z]/.test(name)) return [name, value];
    return [
      name,
      (...args: unknown[]) => {
        made++;
        return value(...args);
      },
    ];
  });
  return Object.fromEntries(counted);
});

beforeEach(() => {
  vi.resetModules();
  made = 0;
});

test("importing the client doesn't create any schemas", async () => {
  await import('worktrack');
  expect(made).toBe(0);
});

test('the first call to an operation creates its schemas, and later calls reuse them', async () => {
  const { Worktrack } = await import('worktrack');
  const record = { data: { id: 'org', name: 'Acme', created_at: '', updated_at: '' } };
  const client = new Worktrack({
    baseUrl: 'http://api.test',
    token: 'secret',
    organization: 'org',
    fetch: async () => Response.json(record),
  });
  const before = made;
  await client.organization.get();
  const first = made;
  expect(first - before).toBeGreaterThan(0);
  expect(first - before).toBeLessThan(10);
  await client.organization.get();
  expect(made).toBe(first);
});

test('importing the contract creates all exported schemas', async () => {
  const contract = await import('worktrack/contract');
  const exported = Object.keys(contract).filter((name) => name.endsWith('Schema'));
  expect(exported.length).toBeGreaterThan(0);
  expect(made).toBeGreaterThan(exported.length);
});
