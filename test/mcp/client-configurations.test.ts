import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newClient } from './support/connect.js';

// The keys for a server in each client's documentation, checked in November 2026
const keys = {
  stdio: ['type', 'command', 'args', 'env'],
  http: ['type', 'url', 'headers'],
  codex: ['command', 'args', 'env', 'url', 'bearer_token_env_var'],
};

interface Server {
  type?: string;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
}

const guide = readFileSync('docs/guide/mcp.md', 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);
const configurations = blocks('json').map((text) => JSON.parse(text));
const servers: Server[] = configurations.map(({ mcpServers, servers }) => (mcpServers ?? servers).worktrack);

test('each JSON configuration in the guide has one server, with keys that the client supports', () => {
  expect(servers).toHaveLength(4);
  for (const server of servers) {
    const known = server.url ? keys.http : keys.stdio;
    for (const key of Object.keys(server)) expect(known).toContain(key);
  }
});

test('a VS Code configuration names its type and defines the inputs that it uses', () => {
  const ofVsCode = configurations.filter(({ servers }) => servers);
  expect(ofVsCode.map(({ servers }) => servers.worktrack.type)).toEqual(['stdio', 'http']);
  for (const { inputs, servers } of ofVsCode) {
    const used = [...JSON.stringify(servers).matchAll(/\$\{input:(\w+)\}/g)].map(([, id]) => id);
    expect(used).toEqual(inputs.map(({ id }: { id: string }) => id));
    for (const input of inputs) expect(input).toMatchObject({ type: 'promptString', password: true });
  }
});

test('each Codex configuration in the guide is a table of settings that Codex supports', () => {
  const tables = blocks('toml');
  expect(tables).toHaveLength(2);
  for (const text of tables) {
    const [header, ...lines] = text.trim().split('\n');
    expect(header).toBe('[mcp_servers.worktrack]');
    for (const line of lines) {
      const [, key = '', value = ''] = /^(\w+) = (.+)$/.exec(line) ?? [];
      expect(keys.codex).toContain(key);
      // These values are also JSON, except for the equals signs in inline tables.
      const json = value.replace(/(\w+) = "/g, '"$1": "');
      expect(() => JSON.parse(json), line).not.toThrow();
    }
  }
});

test('the command of each configuration starts a server', { timeout: 60_000 }, async () => {
  const [first] = servers.filter(({ command }) => command);
  for (const { command, args } of servers.filter((server) => server.command)) {
    expect([command, ...(args ?? [])]).toEqual(['npx', '-y', 'worktrack', 'mcp']);
  }
  const client = newClient('2025');
  onTestFinished(() => client.close());
  // Run the program from the sources instead of the registry.
  const program = [join(inject('programs'), 'worktrack.mjs'), ...(first?.args ?? []).slice(2)];
  const env = { ...first?.env, PATH: process.env.PATH ?? '' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: program, env }));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('tickets_list');
  expect(names).not.toContain('tickets_create');
});
