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
  [{ seed: Number.NaN }, 'option "seed" must be a number or a string (got NaN)'],
  [{ world: 1 }, 'option "world" must be an object or a JSON string (got 1)'],
  [{ unhandled: 'throw' }, 'option "unhandled" must be one of: respond, error (got "throw")'],
  [{ faults: {} }, 'option "faults" must be a list of faults'],
  [{ faults: [null] }, 'faults: options must be an object'],
  [{ rateLimit: { limt: 3 } }, 'rateLimit: unknown option "limt"; did you mean "limit"?'],
  [{ baseUrl: 'localhost:3000' }, 'option "baseUrl" must be an http or https URL'],
  [{ baseUrl: 'work.example.com' }, '(got "work.example.com")'],
  [{ baseUrl: 'http://' }, 'option "baseUrl" must be an http or https URL'],
  [{ now: 'noon' }, 'option "now" is not an instant: "noon"'],
])('createMockServer rejects %j', (options, message) => {
  expect(() => createMockServer(options)).toThrow(TypeError);
  expect(() => createMockServer(options)).toThrow(message);
});

test('an error for an unknown option suggests the most similar name', () => {
  expect(() => createMockServer({ state: undefined, sed: 1 } as object)).toThrow('did you mean "seed"?');
  expect(() => createMockServer({ woe: 1 } as object)).toThrow('did you mean "now"?');
});

test('clientOptions accepts a newly added credential', () => {
  const mock = createMockServer();
  const added = mock.credentials.add({ token: 'wt_added' });
  expect(mock.clientOptions(added).token).toBe('wt_added');
});

test.each<[object, string]>([
  [{ prot: 80 }, 'listen: unknown option "prot"; did you mean "port"?'],
  [{ wrold: {} }, 'listen: unknown option "wrold"; did you mean "world"?'],
  [{ baseUrl: 'http://elsewhere.test' }, 'listen: unknown option "baseUrl"'],
  [null as never, 'listen: options must be an object'],
  [3000 as never, 'listen: options must be an object'],
])('listen rejects %j', async (options, message) => {
  await expect(listen(options)).rejects.toThrow(message);
});

test.each([null, 1, 'world'])("createMockServer rejects %j, which isn't an options object", (options) => {
  expect(() => createMockServer(options as never)).toThrow('createMockServer: options must be an object');
});

test('createMockServer treats an undefined option as omitted', () => {
  const options: MockServerOptions = {
    world: undefined,
    now: undefined,
    wire: undefined,
    baseUrl: undefined,
  };

  expect(createMockServer(options).clientOptions()).toEqual(createMockServer().clientOptions());
});

test('createMockServer strips the path prefix, query, and fragment from baseUrl', () => {
  const mock = createMockServer({ baseUrl: 'https://work.test/x/api/v1/?a=1#b' });

  expect(mock.clientOptions().baseUrl).toBe('https://work.test/x');
});

test('mock.requests stays empty if `journalLimit` is 0', async () => {
  const mock = createMockServer({ journalLimit: 0 });
  await mock.fetch('http://worktrack.test/api/v1');

  expect(mock.requests.length).toBe(0);
});
