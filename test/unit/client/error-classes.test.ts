import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type * as Package from 'worktrack';

/** Imports the package in each test, so that an import error fails a test rather than the whole file. */
const load = () => import('worktrack') as unknown as Promise<Classes & typeof Package>;

type Classes = Record<string, new (message: string, context: object) => Package.WorktrackError>;

/** The name, code, and base classes of every error class. */
const classes: [name: string, code: string, above: string[]][] = [
  ['WorktrackError', 'worktrack', []],
  ['ConfigurationError', 'configuration', ['WorktrackError']],
  ['InvalidRequestError', 'invalid_request', ['WorktrackError']],
  ['IncompleteListError', 'incomplete_list', ['WorktrackError']],
  ['ConnectionError', 'connection', ['WorktrackError']],
  ['RequestTimeoutError', 'timeout', ['WorktrackError']],
  ['RequestAbortedError', 'aborted', ['WorktrackError']],
  ['InvalidResponseError', 'invalid_response', ['WorktrackError']],
  ['ApiError', 'api', ['WorktrackError']],
  ['AuthenticationError', 'authentication', ['ApiError', 'WorktrackError']],
  ['PermissionDeniedError', 'permission_denied', ['ApiError', 'WorktrackError']],
  ['NotFoundError', 'not_found', ['ApiError', 'WorktrackError']],
  ['UnprocessableError', 'unprocessable', ['ApiError', 'WorktrackError']],
  ['RateLimitError', 'rate_limited', ['ApiError', 'WorktrackError']],
  ['ServerError', 'server', ['ApiError', 'WorktrackError']],
];

const create = async (name: string, context: object = { outcome: 'rejected' }) => {
  const { [name]: ErrorClass } = await load();
  if (!ErrorClass) throw new Error(`the package doesn't export ${name}`);
  return new ErrorClass('what happened', context);
};

it.each(classes)(
  '%s has the right name, code (%s), base classes, and documentation link',
  async (name, code, parents) => {
    const error = await create(name);
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.code, String(error)]).toEqual([name, code, `${name}: what happened`]);
    expect([error.outcome, error.attempts]).toEqual(['rejected', 0]);
    const exported: Classes = await load();
    const matching = classes
      .map(([other]) => other)
      .filter((other) => error instanceof (exported[other] ?? Array));
    expect(matching.sort()).toEqual([name, ...parents].sort());
    // Other copies of the package recognize the error by this brand.
    const branded = error as unknown as Record<symbol, unknown>;
    expect(branded[Symbol.for('worktrack.error')]).toEqual([name, ...parents]);
    // The link doesn't depend on the error's name, which other code can change.
    (error as { name: string }).name = 'Renamed';
    expect(error.docs).toBe(`/errors/${name}.html`);
  },
);

it("an error doesn't have properties for context values that are undefined", async () => {
  const error = await create('WorktrackError', { outcome: 'unknown', requestId: undefined });
  expect(Object.keys(error).sort()).toEqual(['attempts', 'outcome']);
  expect('requestId' in error).toBe(false);
  expect('cause' in error).toBe(false);
});

it('fieldErrors defaults to an empty object, and possibleCodes to an empty list', async () => {
  expect(await create('UnprocessableError')).toMatchObject({ fieldErrors: {}, possibleCodes: [] });
  expect(await create('InvalidResponseError')).toMatchObject({ fieldErrors: {} });
});

it.each([
  ['ConfigurationError', 'not_sent'],
  ['InvalidRequestError', 'not_sent'],
  ['IncompleteListError', 'done'],
])('the outcome of a %s is %s by default', async (name, outcome) => {
  expect(await create(name, {})).toMatchObject({ outcome });
});

// Node.js prints the class name with the error.
it('an error class has the same `name` even if a bundler renames the class', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../src/errors/index.ts', import.meta.url))],
    bundle: true,
    target: 'es2022',
    format: 'esm',
    write: false,
  });
  const bundle = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  const { ConfigurationError } = await import(`data:text/javascript;base64,${bundle}`);
  expect(ConfigurationError.name).toBe('ConfigurationError');
});

it('an API error links to the documentation of its code unless the code is unknown', async () => {
  const possibleCodes = ['invalid_board', 'wip_limit_reached'];
  const docsOf = async (code?: string) =>
    (await create('UnprocessableError', { outcome: 'rejected', code, possibleCodes })).docs;
  expect(await docsOf('wip_limit_reached')).toBe('/errors/wip_limit_reached.html');
  expect(await docsOf('from_a_newer_server')).toBe('/errors/UnprocessableError.html');
  expect(await docsOf()).toBe('/errors/UnprocessableError.html');
});

describe('toJSON', () => {
  it('includes the cause as a string', async () => {
    const cause = new TypeError('fetch failed');
    const error = await create('ConnectionError', { outcome: 'unknown', cause });
    expect(error.toJSON()).toEqual({
      name: 'ConnectionError',
      code: 'connection',
      message: 'what happened',
      docs: '/errors/ConnectionError.html',
      outcome: 'unknown',
      attempts: 0,
      cause: 'TypeError: fetch failed',
    });
    expect((await create('ConnectionError')).toJSON()).not.toHaveProperty('cause');
  });

  // When Vitest copies an error, the copy has no `toString()` method.
  const copy = Object.assign(Object.create(null), { name: 'TypeError', message: 'fetch failed' });
  it.each([
    ['a copy of an error that has no `toString()` method', copy, 'TypeError: fetch failed'],
    ['a string', 'out of coffee', 'out of coffee'],
    ['a symbol', Symbol('coffee'), 'Symbol(coffee)'],
    ['null', null, 'null'],
  ])('converts a cause to a string if the cause is %s', async (_, cause, text) => {
    expect((await create('ConnectionError', { cause })).toJSON().cause).toBe(text);
  });
});

it('other code, such as a redaction tool, can change the fields of an error', async () => {
  const error = await create('ApiError', { outcome: 'rejected', body: 'a name' });
  Object.defineProperty(error, 'body', { value: '[removed]' });
  expect(error).toMatchObject({ body: '[removed]' });
});
