import type { OperationId } from '../../src/contract/index.js';
import type { Worktrack } from '../../src/index.js';
import type { Reply } from '../results/reply.js';

/** A JSON Schema of an object, as `tools/list` shows it to a model. */
export interface InputSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties: false;
  [keyword: string]: unknown;
}

export type JsonSchema = Record<string, unknown>;

export type Arguments = Readonly<Record<string, unknown>>;

/** What clients may show or decide by, see the MCP specification. */
export interface Annotations {
  readOnlyHint?: true;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

/** What a tool works with during one call. */
export interface ToolCall {
  client: Worktrack;
  /** Aborted when the MCP client cancels the call. */
  signal: AbortSignal;
  /** Milliseconds since 1970; the mock server's clock in mock mode. */
  now(): number;
}

/** A tool as it is listed and called. */
export interface Tool {
  name: string;
  /** For models: when to use it, what it returns, limits. */
  description: string;
  inputSchema: InputSchema;
  annotations: Annotations;
  /** The operations it calls: their scopes and methods decide whether it is offered. */
  operations: readonly OperationId[];
  /** What the user is asked before it runs, if it deletes something or notifies people. */
  question?: ((args: Arguments, call: ToolCall) => Promise<string>) | undefined;
  run(args: Arguments, call: ToolCall): Promise<Reply>;
}

/** The name of an operation's tool. Model APIs don't allow dots in names of functions. */
export const toolNameOf = (id: OperationId): string => id.replaceAll('.', '_');
