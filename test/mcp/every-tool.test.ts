import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toNodeHandler } from 'srvx/node';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createMcpHandler } from 'worktrack/mcp';
import { listenOnLoopback } from '../support/loopback.js';
import {
  apollo,
  bearer,
  callTool,
  failed,
  httpTransport,
  newClient,
  protocols,
  respondWith,
} from './support/connect.js';
import { callsByTool } from './support/tool-calls.js';

const transports = {
  async stdio(client: Client) {
    const args = [join(inject('programs'), 'stdio-server.mjs')];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  },
  async http(client: Client) {
    const handler = createMcpHandler({
      authToken: bearer,
      mock: apollo(),
      mockTools: true,
      write: true,
      allowDestructive: true,
    });
    const server = createServer(toNodeHandler(handler.fetch) as RequestListener);
    await client.connect(httpTransport(`http://127.0.0.1:${await listenOnLoopback(server)}/mcp`));
  },
};

describe.each(Object.keys(transports) as (keyof typeof transports)[])('over %s', (transport) => {
  test.each(protocols)(
    'every tool can be called by the official client with protocol version %s',
    { timeout: 60_000 },
    async (protocol) => {
      const client = newClient(protocol);
      onTestFinished(() => client.close());
      await transports[transport](client);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(callsByTool).sort());
      const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
      for (const [name, { args, shows }] of Object.entries(callsByTool)) {
        const { text, isError } = await callTool(client, name, args);
        expect(text, name).toContain(shows);
        expect(isError, `${name}: ${text}`).toBe(false);
        if (!reads.includes(name)) await callTool(client, 'mock_reset');
      }
    },
  );

  test.each(protocols)(
    'the official client with protocol version %s receives errors and asks its user to confirm a deletion',
    { timeout: 60_000 },
    async (protocol) => {
      const client = newClient(protocol, { capabilities: { elicitation: {} } });
      onTestFinished(() => client.close());
      const questions = respondWith(client, { action: 'decline' });
      await transports[transport](client);
      expect(await callTool(client, 'tickets_get', { ticket: 'tkt_none' })).toEqual(failed('HTTP 404'));
      await expect(callTool(client, 'tickets_fly')).rejects.toMatchObject({ code: -32_602 });
      const { text, isError } = await callTool(client, 'tickets_delete', { ticket: 'tkt_radio' });
      // Over HTTP, the server can't ask the user of a 2025-protocol client, so it's set up to delete without
      // asking.
      if (transport === 'http' && protocol === '2025') return expect(isError).toBe(false);
      expect(questions).toEqual([
        'Delete the ticket "Radio check" (number 2 of the project "Apollo" (APO))?',
      ]);
      expect(text).toContain('the user declined');
      expect((await callTool(client, 'tickets_get', { ticket: 'tkt_radio' })).isError).toBe(false);
    },
  );
});
