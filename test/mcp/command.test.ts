import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, inject, test } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { readMessages } from '../../addons/mcp/serve-mcp-stdio.js';
import { runWords } from '../unit/cli/support/run.js';

test('worktrack mcp --http exits with code 2 if the port is in use', async () => {
  await using server = await listen();
  const { port } = new URL(server.url);
  const env = { MCP_TOKEN: 'a-bearer-token-of-at-least-32-characters' };
  const { code, errors } = await runWords(['mcp', '--mock', '--http', port], { env });
  expect([code, errors]).toEqual([2, `worktrack mcp: --http: Port ${port} on 127.0.0.1 is in use`]);
});

test('standard output contains only MCP messages, even after malformed input', {
  timeout: 60_000,
}, async () => {
  const child = spawn(process.execPath, [join(inject('programs'), 'worktrack.mjs'), 'mcp', '--mock']);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (output.includes('"id":2')) child.stdin.end();
  });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  child.stdin.write('this is not JSON\n{"jsonrpc":"1.0"}\n');
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`);
  const exitCode = await new Promise((resolve) => child.on('exit', resolve));
  const messages = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const message of messages) expect(message).toHaveProperty('jsonrpc', '2.0');
  expect(messages.slice(0, 2)).toMatchObject([
    { id: null, error: { code: -32_700, message: 'Parse error: the message is not valid JSON' } },
    { id: null, error: { code: -32_600, message: 'Invalid request: the message is not JSON-RPC 2.0' } },
  ]);
  expect(exitCode).toBe(0);
});

/** Reads messages from chunks of input. Returns the accepted messages and the errors for the others. */
async function read(...chunks: Buffer[]) {
  const errors: unknown[] = [];
  const messages: string[] = [];
  for await (const message of readMessages(Readable.from(chunks), (...error) => errors.push(error)))
    messages.push(message.toString().trim());
  return { errors, messages: messages.filter(Boolean) };
}

test('a message that exceeds the size limit gets an error response, and the server still reads the next message', async () => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const parts = ['\n\n{"jsonrpc":"2.0",', '"id":1,"method":"ping"}\n{'].map((text) => Buffer.from(text));
  expect(await read(...Array(9).fill(chunk), ...parts)).toEqual({
    errors: [[-32_600, 'Invalid request: the message is larger than 8388608 bytes']],
    messages: ['{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  });
});

test.each([
  ['{"jsonrpc":"2.0","id":7,"method":5}', 7],
  ['{"jsonrpc":"2.0","id":"a","method":"ping","params":5}', 'a'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', undefined],
  ['{"jsonrpc":"2.0","id":7,"result":5}', undefined],
  ['{"jsonrpc":"1.0","id":7,"method":"ping"}', 7],
  ['[{"jsonrpc":"2.0","id":7,"method":"ping"}]', undefined],
  ['null', undefined],
])(
  "the message %s gets an error response, so the client doesn't wait for another one",
  async (message, id) => {
    const problem = [-32_600, 'Invalid request: the message is not JSON-RPC 2.0'];
    expect(await read(Buffer.from(`${message}\n`))).toEqual({
      errors: [id === undefined ? problem : [...problem, id]],
      messages: [],
    });
  },
);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'worktrack mcp exits after %s, even if its input stays open',
  async (signal) => {
    const program = join(inject('programs'), 'worktrack.mjs');
    const child = spawn(process.execPath, [program, 'mcp', '--mock'], { env: { PATH: process.env.PATH } });
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill(signal);
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
  },
);

test('worktrack mcp --http serves the selected tools to clients that send MCP_TOKEN', {
  timeout: 60_000,
}, async () => {
  const token = 'a-bearer-token-of-at-least-32-characters';
  const program = join(inject('programs'), 'worktrack.mjs');
  const flags = ['--mock', '--mock-tools', '--write', '--allow-destructive', '--tools', 'tickets_*'];
  const child = spawn(process.execPath, [program, 'mcp', ...flags, '--http', '0'], {
    env: { PATH: process.env.PATH, MCP_TOKEN: token },
  });
  const url = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk) => {
      const [found] = /http:\S+/.exec(String(chunk)) ?? [];
      if (found) resolve(found);
    });
  });
  const send = (authorization: string) =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
  const list = await (await send(`Bearer ${token}`)).text();
  for (const name of ['tickets_create', 'tickets_delete', 'mock_reset']) expect(list).toContain(`"${name}"`);
  expect(list).not.toContain('"projects_list"');
  expect((await send('Bearer other')).status).toBe(401);
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
});
