import * as z from 'zod/mini';
import type { MockServer } from '../../mock-server/index.js';
import { type ClientOptions, Worktrack } from '../../src/index.js';
import { boolean, checkOptions, fn, object, option } from '../../src/internal.js';
import { Confirmation, type SharedConfirmations } from './confirmation.js';
import type { HttpSecurityOptions } from './http/guard.js';
import { controlTools } from './mock/control-tools.js';
import type { ServerParts } from './server.js';
import { boardOverview } from './tasks/board-overview.js';
import { changesSince } from './tasks/changes-since.js';
import { findTickets } from './tasks/find-tickets.js';
import { moveManyTickets, updateManyTickets } from './tasks/many-tickets.js';
import { weeklySummary } from './tasks/weekly-summary.js';
import { operationTools } from './tools/operation-tools.js';
import { selectTools, type ToolSelection } from './tools/select.js';
import { callTimeout, type McpCall, type Tool } from './tools/tool.js';

/** Options for an MCP server, such as the tools it offers and the deployment it connects to. */
export interface McpOptions extends ToolSelection {
  /**
   * The client that calls the API, or its options. Missing options are read from `WORKTRACK_BASE_URL`,
   * `WORKTRACK_TOKEN`, and `WORKTRACK_ORGANIZATION`. A tool call takes at most 50 seconds, so `totalTimeout`
   * defaults to 50,000.
   */
  client?: Worktrack | ClientOptions | undefined;
  /**
   * Whether to allow deletions, notifications, and edits that remove formatting if the MCP client can't ask
   * its user for confirmation. If the client can, confirmation is always required.
   * @defaultValue false
   */
  allowDestructive?: boolean | undefined;
  /**
   * Required if several processes serve the same URL. By default, a confirmation is valid only in the process
   * that requested it.
   */
  confirmations?: SharedConfirmations | undefined;
  /**
   * The mock server to use instead of a deployment. Can't be combined with `client`.
   */
  mock?: MockServer | undefined;
  /**
   * Whether to add tools that control the mock server's data, faults, and clock. Don't give these tools to an
   * agent under test.
   * @defaultValue false
   */
  mockTools?: boolean | undefined;
  /**
   * Called after each tool call, for example to write an audit log. The result is returned only after the
   * function has finished. If the function throws, `onError` is called, and the result is still returned.
   */
  onCall?: ((call: McpCall) => unknown) | undefined;
  /** Called with transport errors and unexpected errors in tool calls. @defaultValue `console.error` */
  onError?: ((error: unknown) => void) | undefined;
}

/** The schemas for all MCP server options. */
const optionFields: Record<keyof McpOptions, z.core.$ZodType> = {
  client: object(),
  allowDestructive: boolean(),
  confirmations: option(
    'an object with a key of at least 32 characters and isFirstUse()',
    isSharedConfirmations,
  ),
  mock: object(),
  mockTools: boolean(),
  onCall: fn(),
  onError: fn(),
  write: boolean(),
  scopes: option('a list of scopes', Array.isArray),
  tools: option('a list of tool names', Array.isArray),
};

function isSharedConfirmations(value: unknown): boolean {
  const { key, isFirstUse } = (value ?? {}) as Partial<SharedConfirmations>;
  return typeof key === 'string' && key.length >= 32 && typeof isFirstUse === 'function';
}

/**
 * Validates the options passed to a function.
 *
 * @param furtherFields options that only this function accepts
 * @throws TypeError if an option is unknown or invalid
 */
export function checkMcpOptions(
  name: string,
  options: McpOptions,
  furtherFields: Record<string, z.core.$ZodType> = {},
): void {
  const schema = z
    .strictObject({ ...optionFields, ...furtherFields })
    .check(
      z.refine(
        ({ client, mock }) => client === undefined || mock === undefined,
        'options "client" and "mock" are mutually exclusive',
      ),
    );
  checkOptions(schema, options, { fail: (message) => new TypeError(`${name}: ${message}`) });
}

/**
 * Validates the options and creates the state shared by all sessions.
 * @throws TypeError if a scope or tool is unknown
 * @throws ConfigurationError if a required client option is missing
 */
export function serverParts(options: McpOptions): ServerParts {
  const { mock, write, mockTools, allowDestructive = false, confirmations, onCall, onError } = options;
  const mayHaveDefaultBoard = findDefaultBoard(options);
  const ownTools = [...operationTools(mayHaveDefaultBoard), ...taskTools, changesSince()];
  const { tools: selected, unavailable } = selectTools(ownTools, options);
  return {
    tools: mock && mockTools ? [...selected, ...controlTools(mock)] : selected,
    isReadOnly: write !== true,
    unavailable,
    client: clientSource(options),
    user: undefined,
    mayHaveDefaultBoard,
    now: mock ? () => mock.clock.milliseconds() : Date.now,
    confirmation: new Confirmation(allowDestructive, confirmations),
    onCall,
    log: onError ?? console.error,
  };
}

/** Returns a function that returns the client for a tool call. */
function clientSource({ client, mock, ...others }: McpOptions): () => Worktrack {
  if (mock) return mockClient(mock);
  // This client is never used, because each authenticated request has its own client.
  if ((others as HttpSecurityOptions).authenticate) return () => undefined as never;
  const real = isClient(client) ? client : new Worktrack({ ...defaults, ...client });
  return () => real;
}

/** Don't use `instanceof`, because the client can come from another copy of the package. */
const isClient = (value: McpOptions['client']): value is Worktrack =>
  value !== undefined && 'request' in value;

/**
 * Returns whether there may be a default board. If the `client` option is a client, its options can't be
 * read, so this function returns true. If there turns out to be no default board, the client itself rejects
 * tickets without a board.
 */
function findDefaultBoard({ client, mock, ...others }: McpOptions): boolean {
  if (mock) return clientOptions(mock).defaultBoard === true;
  if (isClient(client) || (others as HttpSecurityOptions).authenticate) return true;
  return client?.defaultBoard ?? globalThis.process?.env?.WORKTRACK_DEFAULT_BOARD === 'true';
}

const defaults = { totalTimeout: callTimeout } satisfies ClientOptions;

/**
 * Returns a function that returns the client for a mock server. Creates a new client whenever the credentials
 * change, for example because different seed data was loaded.
 */
function mockClient(mock: MockServer): () => Worktrack {
  let made: { key: string; client: Worktrack } | undefined;
  return () => {
    const options = clientOptions(mock);
    const key = JSON.stringify(options);
    if (made?.key !== key)
      made = { key, client: new Worktrack({ ...defaults, ...options, fetch: mock.fetch }) };
    return made.client;
  };
}

function clientOptions(mock: MockServer) {
  if (mock.state.credentials.all().length === 0) mock.credentials.add({ name: 'Agent' });
  return mock.clientOptions();
}

/** Tools for tasks that would otherwise require many tool calls. */
const taskTools: readonly Tool[] = [
  boardOverview,
  findTickets,
  moveManyTickets,
  updateManyTickets,
  weeklySummary,
];
