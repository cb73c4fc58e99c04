import { expect, test } from 'vitest';
import { createMockServer, type MockServerOptions } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';

test.each<[object, string]>([
  [{ wrold: {} }, 'unknown option "wrold"; did you mean "world"?'],
  [{ Now: 1 }, 'unknown option "Now"; did you mean "now"?'],
  [{ fetch: 1 }, 'unknown option "fetch"; expected one of: state, world, now,'],
  [{ wire: { pgae: {} } }, 'unknown option "wire.pgae"; did you mean "wire.page"?'],
  [{ wire: 'bearer' }, 'option "wire" must be an object'],
  [{ bodyLimit: 'x' }, 'option "bodyLimit" must be an integer from 0'],
  [{ journalLimit: -1 }, 'option "journalLimit" must be an integer from 0'],
  [{ seed: Number.NaN }, 'option "seed" must be a number or text'],
  [{ world: 1 }, 'option "world" must be a world, or its JSON text'],
  [{ unhandled: 'throw' }, 'option "unhandled" must be "answer" or "error"'],
  [{ faults: {} }, 'option "faults" must be a list of faults'],
  [{ faults: [null] }, 'faults: a fault is an object'],
  [{ rateLimit: { limt: 3 } }, 'rateLimit: unknown option "limt"; did you mean "limit"?'],
  [{ baseUrl: 'localhost:3000' }, 'option "baseUrl" must be an http or https URL'],
  [{ baseUrl: 'work.example.com' }, 'not "work.example.com"'],
  [{ baseUrl: 'http://' }, 'option "baseUrl" must be an http or https URL'],
  [{ now: 'noon' }, 'option "now" is not an instant: "noon"'],
])('%j is refused', (options, message) => {
  expect(() => createMockServer(options)).toThrow(TypeError);
  expect(() => createMockServer(options)).toThrow(message);
});

test('the nearest of several names that were almost met is proposed', () => {
  expect(() => createMockServer({ state: undefined, sed: 1 } as object)).toThrow('did you mean "seed"?');
  expect(() => createMockServer({ woe: 1 } as object)).toThrow('did you mean "now"?');
});

test('a credential that was just added chooses itself, whatever else it has', () => {
  const mock = createMockServer();
  const added = mock.credentials.add({ token: 'wt_added' });
  expect(mock.clientOptions(added).token).toBe('wt_added');
});

test.each<[object, string]>([
  [{ prot: 80 }, 'listen: unknown option "prot"; did you mean "port"?'],
  [{ wrold: {} }, 'listen: unknown option "wrold"; did you mean "world"?'],
  [{ baseUrl: 'http://elsewhere.test' }, 'listen: unknown option "baseUrl"'],
  [null as never, 'listen takes an object of options'],
  [3000 as never, 'listen takes an object of options'],
])('%j is refused by a server that is to listen', async (options, message) => {
  await expect(listen(options)).rejects.toThrow(message);
});

test.each([null, 1, 'world'])('%j is no object of options', (options) => {
  expect(() => createMockServer(options as never)).toThrow('createMockServer takes an object of options');
});

test('an option that is undefined is an option left out', () => {
  const options: MockServerOptions = {
    world: undefined,
    now: undefined,
    wire: undefined,
    baseUrl: undefined,
  };

  expect(createMockServer(options).clientOptions()).toEqual(createMockServer().clientOptions());
});

test('the base URL may be given with the path prefix, and loses query and hash', () => {
  const mock = createMockServer({ baseUrl: 'https://work.test/x/api/v1/?a=1#b' });

  expect(mock.clientOptions().baseUrl).toBe('https://work.test/x');
});

test('a journal that keeps nothing keeps nothing', async () => {
  const mock = createMockServer({ journalLimit: 0 });
  await mock.fetch('http://worktrack.test/api/v1');

  expect(mock.requests.length).toBe(0);
});
