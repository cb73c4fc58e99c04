import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { encodeResponse, listen, record } from './support/listen.js';

const urlOf = (program: string) => pathToFileURL(join(inject('programs'), `${program}.mjs`)).href;

/** Runs a program that uses a client and waits for it to exit. */
const runWithClient = (baseUrl: string, program: string) =>
  run(
    `import { Worktrack } from '${urlOf('client')}';`,
    `const client = new Worktrack({ baseUrl: '${baseUrl}', token: 'wt_1', responseValidation: 'off', throttle: { requestsPerMinute: 2, concurrency: 1 } });`,
    'const note = (error) => console.log(error.name);',
    program,
  );

function run(...lines: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', lines.join('\n')]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => {
    // If a timer for the default total timeout of two minutes leaked, it would outlast this timeout.
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output: output.trim() });
    });
  });
}

describe('a program that uses a client', { timeout: 30_000 }, () => {
  it.each([
    ['after a successful call', "console.log((await client.tickets.get('t')).id);", 'x'],
    ['after an invalid call', "await client.tickets.get('').catch(note);", 'InvalidRequestError'],
    [
      'after an aborted call',
      "const c = new AbortController(); setTimeout(() => c.abort(), 20); await client.tickets.get('silent', { signal: c.signal }).catch(note);",
      'RequestAbortedError',
    ],
    [
      'after a call that times out',
      "await client.tickets.get('silent', { timeout: 20, retry: 0 }).catch(note);",
      'RequestTimeoutError',
    ],
    [
      "after a call that the throttle wouldn't send in time",
      "await client.tickets.get('a'); await client.tickets.get('b'); await client.tickets.get('c', { totalTimeout: 20 }).catch(note);",
      'RateLimitError',
    ],
    [
      'after a queued call exceeds its total timeout',
      "const slow = client.tickets.get('silent', { timeout: 200, retry: 0 }).catch(note); await client.tickets.get('queued', { totalTimeout: 20 }).catch(note); await slow;",
      'RequestTimeoutError\nRequestTimeoutError',
    ],
  ])('exits on its own %s', async (_, program, output) => {
    const { origin } = await listen((socket, request) => {
      if (!request.includes('/silent'))
        socket.write(encodeResponse('200 OK', record, { connection: 'keep-alive' }));
    });
    expect(await runWithClient(origin, program)).toEqual({ code: 0, output });
  });
});

it("a program gets the response to a rejected request even if the request's body never ends", async () => {
  const result = await run(
    `import { createMockServer } from '${urlOf('mock-server')}';`,
    'const mock = createMockServer();',
    "const url = mock.clientOptions().baseUrl + '/api/v1/unknown';",
    "const request = { method: 'POST', body: new ReadableStream(), duplex: 'half' };",
    'console.log((await mock.fetch(url, request)).status);',
  );
  expect(result).toEqual({ code: 0, output: '404' });
});
