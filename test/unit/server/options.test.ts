import { expect, test } from 'vitest';
import { createMockServer, type MockServerOptions } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';

test.each<[object, string]>([
  [{ wrold: {} }, 'unknown option "wrold"; did you mean "world"?'],
  [{ Now: 1 }, 'unknown option "Now"; did you mean "now"?'],
  [{ fetch: 1 }, 'unknown option "fetch"; expected one of: state, world, now,'],
  [{ wire: { pgae: {} } }, 'unknown option "wire.pgae"; did you mean "wire.page"?'],
  [{ wire: 'bearer' }, 'option "wire" must be an object'],
  [{ bodyLimit: 'x' }, 'option "bodyLimit" must be a non-negative integer (got "x")'],
  [{ journalLimit: -1 }, 'option "journalLimit" must be a non-negative integer (got -1)'],
  [{ randomSeed: Number.NaN }, 'option "randomSeed" must be a number or a string (got NaN)'],
  [{ world: 1 }, 'option "world" must be an object or a JSON string (got 1)'],
  [{ unhandled: 'throw' }, 'option "unhandled" must be one of: respond, error (got "throw")'],
  [{ faults: {} }, 'option "faults" must be a list of faults'],
  [{ faults: [null] }, 'faults: options must be an object'],
  [{ rateLimit: { limt: 3 } }, 'rateLimit: unknown option "limt"; did you mean "limit"?'],
  [{ state: 1 }, 'option "state" must be a state from mock.export() (got 1)'],
  [{ baseUrl: 'ftp://work.example.com/https://' }, 'option "baseUrl" must be an http or https URL'],
  [{ baseUrl: 'localhost:3000' }, 'option "baseUrl" must be an http or https URL'],
  [{ baseUrl: 'work.example.com' }, '(got "work.example.com")'],
  [{ baseUrl: 'http://' }, 'option "baseUrl" must be an http or https URL'],
  [{ now: 'noon' }, 'option "now" is not a valid time: "noon"'],
])('createMockServer rejects %j', (options, message) => {
  expect(() => createMockServer(options)).toThrow(TypeError);
  expect(() => createMockServer(options)).toThrow(message);
});

test.each<[object, string]>([
  [{ prot: 80 }, 'listen: unknown option "prot"; did you mean "port"?'],
  [{ wrold: {} }, 'listen: unknown option "wrold"; did you mean "world"?'],
  [{ baseUrl: 'http://elsewhere.test' }, 'listen: unknown option "baseUrl"'],
  [null as never, 'listen: options must be an object'],
  [3000 as never, 'listen: options must be an object'],
  ...[-1, 65_536, 1.5, '8080'].map((port): [object, string] => [
    { port },
    `listen: option "port" must be an integer from 0 to 65,535 (got ${JSON.stringify(port)})`,
  ]),
  ...['short', 'a long-token', 'long-token a', 'geheimniß', 12_345_678].map(
    (adminToken): [object, string] => [
      { adminToken },
      'listen: option "adminToken" must be at least 8 ASCII characters without spaces',
    ],
  ),
  ...[
    'mock.example.com',
    'ftp://mock.example.com',
    'ftp://mock.example.com/https://',
    'https://',
    'https://mock.example.com/?a=1',
    'https://mock.example.com/#top',
    'https://ada@mock.example.com',
    'https://:secret@mock.example.com',
  ].map((publicUrl): [object, string] => [
    { publicUrl },
    'listen: option "publicUrl" must be an http or https URL without credentials or a query, such as https://mock.example.com',
  ]),
])('listen rejects %j', async (options, message) => {
  const error = await listen(options).then(
    (server) => server.close(),
    (reason: unknown) => reason,
  );

  expect(error).toBeInstanceOf(TypeError);
  expect((error as TypeError).message).toContain(message);
});

test.each([
  { port: 0 },
  { port: 65_535 },
  { adminToken: '8-signs!' },
  { publicUrl: 'http://mock.example.com' },
  { publicUrl: new URL('https://mock.example.com/worktrack/') },
])('listen accepts %j', async (options) => {
  // This IP address belongs to another machine, so the server can't listen on it, but the options are checked
  // first.
  await expect(listen({ ...options, host: '192.0.2.1' })).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
});

test.each([null, 1, 'world'])("createMockServer rejects %j, which isn't an options object", (options) => {
  expect(() => createMockServer(options as never)).toThrow('createMockServer: options must be an object');
});

test('createMockServer treats an option that is undefined as omitted', () => {
  const options: MockServerOptions = {
    world: undefined,
    now: undefined,
    wire: undefined,
    baseUrl: undefined,
  };

  expect(createMockServer(options).clientOptions()).toEqual(createMockServer().clientOptions());
});

test.each(['https://work.test/x/api/v1/?a=1#b', 'https://work.test/x///'])(
  'createMockServer removes trailing slashes, the path prefix, the query, and the fragment from %s',
  (baseUrl) => {
    expect(createMockServer({ baseUrl }).clientOptions().baseUrl).toBe('https://work.test/x');
  },
);

test('mock.requests stays empty if `journalLimit` is 0', async () => {
  const mock = createMockServer({ journalLimit: 0 });
  await mock.fetch('http://worktrack.test/api/v1');

  expect(mock.requests.length).toBe(0);
});
