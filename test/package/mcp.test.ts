import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { newClient } from '../mcp/support/connect.js';
import { codexServers, servers } from '../mcp/support/guide-configurations.js';
import { project } from './support/project.js';

const commands = [...servers, ...codexServers].filter(({ command }) => command);

test("the command of each configuration in the guide starts the package's MCP server in an empty folder", async () => {
  expect(commands).toHaveLength(3);
  for (const { command = '', args = [], env } of commands) {
    const client = newClient('2025');
    onTestFinished(() => client.close());
    await client.connect(
      new StdioClientTransport({
        ...{ command, args, cwd: project({}).folder },
        // npx must use the installed package.
        env: { ...env, PATH: process.env.PATH ?? '', npm_config_offline: 'true' },
      }),
    );
    expect(client.getServerVersion()).toMatchObject({ name: 'worktrack' });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('tickets_list');
    expect(names).not.toContain('tickets_create');
  }
});
