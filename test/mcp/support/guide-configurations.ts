import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';

/** How an MCP client starts a server or connects to one. */
export interface ServerConfiguration {
  type?: string;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
}

const guide = readFileSync('docs/guide/mcp.md', 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

/** The JSON configurations in the guide. */
export const configurations = blocks('json').map((text) => JSON.parse(text));

/** The servers in the JSON configurations. */
export const servers: ServerConfiguration[] = configurations.map(
  ({ mcpServers, servers }) => (mcpServers ?? servers).worktrack,
);

/** The servers in the TOML configurations for Codex. */
export const codexServers: ServerConfiguration[] = blocks('toml').map(
  (text) => (parse(text) as { mcp_servers: { worktrack: object } }).mcp_servers.worktrack,
);
