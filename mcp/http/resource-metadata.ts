import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';

/** Tells MCP clients where users sign in (RFC 9728). */
export interface ProtectedResource {
  /** The URL of the MCP server, such as `https://mcp.example.com/mcp`. */
  url: string;
  /** The URLs of the authorization servers that issue tokens for it. */
  authorizationServers: readonly string[];
  /** The scopes that clients can request. */
  scopes?: readonly string[] | undefined;
}

export function isProtectedResource(value: unknown): boolean {
  const { url, authorizationServers } = (value ?? {}) as Partial<ProtectedResource>;
  const isUrl = (text: unknown) => typeof text === 'string' && /^https?:/.test(text) && URL.canParse(text);
  return isUrl(url) && Array.isArray(authorizationServers) && authorizationServers.every(isUrl);
}

export const metadataUrl = ({ url }: ProtectedResource): string =>
  getOAuthProtectedResourceMetadataUrl(new URL(url));

export const isMetadataRequest = ({ method, url }: Request, resource: ProtectedResource): boolean =>
  method === 'GET' && new URL(url).pathname === new URL(metadataUrl(resource)).pathname;

export const metadataResponse = ({ url, authorizationServers, scopes }: ProtectedResource): Response =>
  Response.json({
    resource: url,
    authorization_servers: authorizationServers,
    ...(scopes && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  });
