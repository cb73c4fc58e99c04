import * as z from 'zod/mini';
import type { MockServer } from '../mock-server/index.js';
import { type ClientOptions, Worktrack } from '../src/index.js';
import { boolean, fn, object, option } from '../src/shared/option-types.js';
import { checkOptions } from '../src/shared/options.js';
import { Confirmation } from './confirmation.js';
import { controlTools } from './mock/control-tools.js';
import type { ServerParts } from './server.js';
import { taskTools } from './tasks/task-tools.js';
import { operationTools } from './tools/operation-tools.js';
import { selectTools, type ToolSelection } from './tools/select.js';

/** What an MCP server offers, and to which deployment it connects. */
export interface McpOptions extends ToolSelection {
  /**
   * The client to call the API with, or its options; what is missing comes from `WORKTRACK_BASE_URL`,
   * `WORKTRACK_TOKEN` and `WORKTRACK_ORGANIZATION`.
   */
  client?: Worktrack | ClientOptions | undefined;
  /**
   * Whether deletes and notifications run if the MCP client can't ask its user to confirm them. A client that
   * can is always asked.
   * @defaultValue false
   */
  allowDestructive?: boolean | undefined;
  /** Serves this mock server instead of a deployment, with tools to seed, reset and disturb it. Not with `client`. */
  mock?: MockServer | undefined;
  /** Receives errors that no tool call reports. @defaultValue `console.error` */
  onError?: ((error: unknown) => void) | undefined;
}

/** The options of an MCP server; a missing one doesn't compile. */
const optionFields: Record<keyof McpOptions, z.core.$ZodType> = {
  client: object(),
  allowDestructive: boolean(),
  mock: object(),
  onError: fn(),
  write: boolean(),
  scopes: option('a list of scopes', Array.isArray),
  tools: option('a list of names of tools', Array.isArray),
};

const schemaWith = (furtherFields: Record<string, z.core.$ZodType>) =>
  z
    .strictObject({ ...optionFields, ...furtherFields })
    .check(
      z.refine(
        ({ client, mock }) => client === undefined || mock === undefined,
        'options "client" and "mock" are mutually exclusive: the tools call one deployment',
      ),
    );

/**
 * Validates the options of the function of that name.
 *
 * @param furtherFields options that only this function has
 * @throws TypeError if an option is unknown or invalid
 */
export function checkMcpOptions(
  name: string,
  options: McpOptions,
  furtherFields: Record<string, z.core.$ZodType> = {},
): void {
  checkOptions(schemaWith(furtherFields), options, {
    fail: (message) => new TypeError(`${name}: ${message}`),
  });
}

/**
 * Reads the options and prepares what all sessions share.
 *
 * @param key signs confirmations
 * @throws TypeError for unknown scopes and tools
 * @throws ConfigurationError if the client's options are incomplete
 */
export function serverParts(options: McpOptions, key: Uint8Array | string): ServerParts {
  const { client, mock, allowDestructive = false, onError = console.error } = options;
  const tools = selectTools([...operationTools(), ...taskTools], options);
  const common = { confirmation: new Confirmation(key, allowDestructive), log: onError };
  if (mock) return { ...common, tools: [...tools, ...controlTools(mock)], call: mockCall(mock) };
  const real = isClient(client) ? client : new Worktrack({ ...defaults, ...client });
  return { ...common, tools, call: { client: real, now: Date.now } };
}

/** Not by `instanceof`: the build of this entry point has a copy of the class of its own. */
const isClient = (value: McpOptions['client']): value is Worktrack =>
  value !== undefined && 'request' in value;

/** Common MCP clients give up on a call after 60 seconds: by then it must have reported what became of it. */
const defaults = { deadline: 50_000 } satisfies ClientOptions;

/** A world that is loaded later has other credentials, so the client is made for the present one. */
function mockCall(mock: MockServer): ServerParts['call'] {
  let made: { key: string; client: Worktrack } | undefined;
  return {
    get client() {
      const options = clientOptions(mock);
      const key = JSON.stringify(options);
      if (made?.key !== key)
        made = { key, client: new Worktrack({ ...defaults, ...options, fetch: mock.fetch }) };
      return made.client;
    },
    now: () => mock.clock.milliseconds(),
  };
}

function clientOptions(mock: MockServer) {
  if (mock.state.credentials.all().length === 0) mock.credentials.add({ name: 'Agent' });
  return mock.clientOptions();
}
