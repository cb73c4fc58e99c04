import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Logger, WorktrackError } from 'worktrack';
import { runs, seed } from '../properties/runs.js';
import { calls, listen, secret } from './support/listen.js';

const documented = [
  'ApiError',
  'AuthenticationError',
  'ConnectionError',
  'InvalidResponseError',
  'NotFoundError',
  'PermissionDeniedError',
  'RateLimitError',
  'RequestTimeoutError',
  'ServerError',
  'UnprocessableError',
];

const escaped = [...secret].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');

/** Strings, most of which contain the credential in plain text or in an encoded form. */
const echo = fc.constantFrom(
  secret,
  escaped,
  encodeURIComponent(`Bearer ${secret}`),
  `Bearer ${secret}`,
  'x',
  '',
);

const statusLine = fc
  .constantFrom(200, 201, 204, 301, 400, 401, 403, 404, 408, 421, 422, 429, 500, 503)
  .map((status) => `HTTP/1.1 ${status} Some\r\n`);

const header = fc.oneof(
  fc.nat(300).map((length) => `content-length: ${length}\r\n`),
  fc.constantFrom('transfer-encoding: chunked\r\n', 'content-encoding: gzip\r\n', 'connection: close\r\n'),
  fc
    .constantFrom('0', '0.01', '900', 'Wed, 21 Oct 2015 07:28:00 GMT', 'soon')
    .map((after) => `retry-after: ${after}\r\n`),
  echo.map((text) => `x-request-id: ${text}\r\n`),
  echo.map((text) => `location: https://elsewhere.invalid/${text}\r\n`),
);

const body = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .tuple(echo, echo, echo)
    .map(
      ([a, b, c]) => `{"message":"${a}","code":"${b}","errors":{"${c}":["${a}"]},"${b}":[{"${c}":"${a}"}]}`,
    ),
  echo.map((text) => `{"data":{"id":"${text}"}}`),
  echo.map((text) => `{"data":{"data":[{"id":"${text}"}],"current_page":1,"last_page":9}}`),
  echo.map((text) => `<html>${text}</html>`),
  echo.map((text) => `plain ${text}`),
);

/** Generates responses: usually valid or nearly valid HTTP, sometimes arbitrary bytes. */
const bytes = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(statusLine, fc.array(header, { maxLength: 4 }), body)
      .map(([status, headers, text]) => Buffer.from(`${status}${headers.join('')}\r\n${text}`)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(statusLine, body)
      .map(([status, text]) =>
        Buffer.from(`${status}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(statusLine, body, fc.boolean()).map(([status, text, isComplete]) => {
      const chunks = [...Buffer.from(text)].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`);
      const end = isComplete ? '0\r\n\r\n' : '';
      return Buffer.from(`${status}transfer-encoding: chunked\r\n\r\n${chunks.join('')}${end}`, 'latin1');
    }),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)) },
);

const script = fc.record({
  bytes,
  /** The offsets at which writes are split, and the delay in milliseconds after each write. */
  splits: fc.array(fc.record({ at: fc.nat(400), wait: fc.nat(8) }), { maxLength: 3 }),
  end: fc.constantFrom('end', 'reset', 'hang'),
});

it('a call finishes within its total timeout and never reveals the token, no matter what the server sends', {
  timeout: 3_600_000,
}, async () => {
  const property = fc.asyncProperty(
    fc.array(script, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...calls),
    async (scripts, call) => {
      const { client, close } = await listen((socket, _, index) => {
        play(socket, scripts[index % scripts.length] as Script).catch(() => {});
      });
      const observed: unknown[] = [];
      const record = (...args: unknown[]) => {
        observed.push(args);
      };
      const logger: Logger = { debug: record, info: record, warn: record, error: record };
      const testClient = client({
        timeout: 60,
        totalTimeout: 150,
        logger,
        logLevel: 'debug',
        logBodies: true,
        responseValidation: 'throw',
        hooks: { request: record, response: record, retry: record, error: record },
      });
      const outcome = Promise.resolve(call(testClient)).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      let timer: NodeJS.Timeout | undefined;
      // Allow more time than the total timeout, because it applies to each page of a list, and the machine
      // may be slow.
      const timeout = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, 5000, 'late');
      });
      const end = await Promise.race([outcome, timeout]);
      clearTimeout(timer);
      close();
      expect(end).not.toBe('late');
      if (typeof end === 'object' && 'error' in end) {
        const { error } = end;
        expect(error instanceof WorktrackError && documented.includes(error.name), inspect(error)).toBe(true);
        const { body, headers, cause, stack } = error as { [part: string]: unknown };
        observed.push(error, body, headers, cause, stack, JSON.stringify(error), String(error));
      }
      const inspected = inspect([testClient, JSON.stringify(testClient), observed], {
        depth: 20,
        showHidden: true,
        maxStringLength: null,
        maxArrayLength: null,
      });
      const place = inspected.indexOf(secret);
      expect(place < 0 ? '' : inspected.slice(Math.max(0, place - 300), place + 60)).toBe('');
    },
  );
  await fc.assert(property, { numRuns: runs({ quick: 100, long: 5000 }), seed });
});

type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

async function play(socket: import('node:net').Socket, { bytes, splits, end }: Script): Promise<void> {
  let sent = 0;
  for (const { at, wait } of [...splits].sort((one, other) => one.at - other.at)) {
    socket.write(bytes.subarray(sent, Math.max(sent, at)));
    sent = Math.max(sent, at);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  socket.write(bytes.subarray(sent));
  if (end === 'end') socket.end();
  if (end === 'reset') socket.resetAndDestroy();
}
