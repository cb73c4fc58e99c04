import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorktrackError } from 'worktrack';
import { nodeFetch } from 'worktrack/node';
import { runs, seed } from '../properties/runs.js';
import { calls, encodeResponse, listen } from './support/listen.js';
import { exceededLimits, measureResources } from './support/resources.js';

/** `npm run fuzz` runs the long version. */
const count = runs({ quick: 120, long: 20_000 });
const limits = { cpu: 40, blocked: 2000, rss: 700 };

const zipped = (text: string) => ({ body: gzipSync(text), headers: { 'content-encoding': 'gzip' } });
const plain = (text: string) => ({ body: Buffer.from(text), headers: {} });

/** Bodies that are expensive to read, validate, or describe in an error. */
const expensive = [
  zipped(`{"data":[${'{},'.repeat(20_000)}{}]}`),
  zipped(`{"data":{"data":[${'{},'.repeat(20_000)}{}],"current_page":1,"last_page":9}}`),
  zipped(`{"data":{"id":"x","labels":[${'5,'.repeat(20_000)}5]}}`),
  zipped(`{"data":"${'x'.repeat(2_000_000)}"}`),
  zipped(`{"message":"${'\\u0000'.repeat(100_000)}","errors":{${'"a":["b"],'.repeat(10_000)}"c":[]}}`),
  plain('['.repeat(100_000)),
  plain(`{"data":${'['.repeat(5000)}${']'.repeat(5000)}}`),
  plain('{"data":null}'),
  plain('{"__proto__":{"polluted":true},"data":{"__proto__":{"polluted":true}}}'),
  { body: gzipSync('{"data":{}}').subarray(0, 15), headers: { 'content-encoding': 'gzip' } },
];

const response = fc
  .tuple(
    fc.constantFrom(200, 201, 204, 302, 400, 401, 403, 404, 409, 413, 422, 429, 500, 503),
    fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...expensive) },
      { weight: 6, arbitrary: fc.json({ maxDepth: 5 }).map(plain) },
      { weight: 3, arbitrary: fc.string({ maxLength: 400, unit: 'binary' }).map(plain) },
    ),
    fc.constantFrom({}, { 'retry-after': '0' }, { 'retry-after': 'never' }, { 'content-type': 'text/html' }),
  )
  .map(([status, { body, headers }, further]) =>
    encodeResponse(`${status} Some`, body, { ...headers, ...further }),
  );

test.each([
  ['fetch', undefined],
  ['nodeFetch()', nodeFetch],
])(
  `a client that uses %s handles ${count} hostile responses without exceeding resource limits`,
  async (name, createFetch) => {
    const inputs = fc.sample(response, { numRuns: count, seed });
    const { client } = await listen((socket, _, index) => {
      socket.end(inputs[index % inputs.length] ?? '');
    });
    const testClient = client({
      responseValidation: 'throw',
      retry: { limit: 0 },
      timeout: 10_000,
      totalTimeout: 30_000,
      ...(createFetch && { fetch: createFetch() }),
    });
    const unexpectedErrors: unknown[] = [];
    const measuring = measureResources();
    for (let index = 0; index < count; index += 4) {
      const batch = Array.from({ length: Math.min(4, count - index) }, (_, offset) =>
        Promise.resolve(calls[(index + offset) % calls.length]?.(testClient)).catch((error: unknown) => {
          if (!(error instanceof WorktrackError)) unexpectedErrors.push(error);
        }),
      );
      await Promise.all(batch);
    }
    const used = measuring.stop(count);

    if (count >= 20_000) console.info(`${count} responses through ${name}, seed ${seed}:`, used);
    expect(unexpectedErrors, `seed ${seed}`).toEqual([]);
    expect(exceededLimits(used, limits), `seed ${seed}`).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  },
  3_600_000,
);
