import { expect, test } from 'vitest';
import { codexServers, configurations, servers } from './support/guide-configurations.js';

// These are the keys that each client's documentation listed for a server in November 2026.
const keys = {
  stdio: ['type', 'command', 'args', 'env'],
  http: ['type', 'url', 'headers'],
  codex: ['command', 'args', 'env', 'url', 'bearer_token_env_var'],
};

test('each JSON configuration in the guide defines one server and uses only keys that the client supports', () => {
  expect(servers).toHaveLength(4);
  for (const server of servers) {
    const known = server.url ? keys.http : keys.stdio;
    for (const key of Object.keys(server)) expect(known).toContain(key);
  }
});

test('a VS Code configuration specifies its type and defines the inputs that it uses', () => {
  const ofVsCode = configurations.filter(({ servers }) => servers);
  expect(ofVsCode.map(({ servers }) => servers.worktrack.type)).toEqual(['stdio', 'http']);
  for (const { inputs, servers } of ofVsCode) {
    const used = [...JSON.stringify(servers).matchAll(/\$\{input:(\w+)\}/g)].map(([, id]) => id);
    expect(used).toEqual(inputs.map(({ id }: { id: string }) => id));
    for (const input of inputs) expect(input).toMatchObject({ type: 'promptString', password: true });
  }
});

test('each Codex configuration in the guide contains only settings that Codex supports', () => {
  expect(codexServers).toHaveLength(2);
  for (const server of codexServers) {
    for (const key of Object.keys(server)) expect(keys.codex).toContain(key);
  }
});
