export type { SharedConfirmations } from './confirmation.js';
export { createMcpHandler, type McpHandler, type McpHandlerOptions } from './http/create-mcp-handler.js';
export type {
  Authenticated,
  AuthenticatedUser,
  HttpSecurityOptions,
  ProtectedResource,
} from './http/guard.js';
export type { McpOptions } from './options.js';
export { serveMcpStdio } from './serve-mcp-stdio.js';
export type { ToolSelection } from './tools/select.js';
export type { McpCall } from './tools/tool.js';
