import type { OperationId } from '../../../src/contract/index.js';
import type { Worktrack } from '../../../src/index.js';
import type { Lookup } from '../../shared/lookup.js';
import type { Reply } from '../results/reply.js';

/** The JSON Schema for a tool's arguments, as returned by `tools/list`. */
export interface InputSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties: false;
  [keyword: string]: unknown;
}

export type JsonSchema = Record<string, unknown>;

export type Arguments = Readonly<Record<string, unknown>>;

/** Hints for clients, as defined by the MCP specification. */
export interface Annotations {
  readOnlyHint?: true;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

/**
 * The timeout for a call, in milliseconds. Many MCP clients time out after 60 seconds, so a call must report
 * its outcome before then.
 */
export const callTimeout = 50_000;

export interface ToolCall {
  client: Worktrack;
  /** Looks up names. Reads each list only once per call. */
  lookup: Lookup;
  /** Aborted when the MCP client cancels the call or `callTimeout` expires. */
  signal: AbortSignal;
  /** The user who sent the request, if the server authenticates users. */
  user?: string | undefined;
  /**
   * Whether the deployment may have a default board. If so, the client checks whether a ticket needs a board.
   */
  mayHaveDefaultBoard?: boolean;
  /**
   * Reports another completed step to the client, if the client requested progress updates.
   *
   * @param total the total number of steps, if known
   */
  progress?: ((total?: number) => void) | undefined;
  /** The current Unix time in milliseconds. In mock mode, it comes from the mock server's clock. */
  now(): number;
}

/** A tool call, for an audit log. */
export interface McpCall {
  /** The user who sent the request, if the server authenticates users. */
  user: string | undefined;
  tool: string;
  /** The SHA-256 digest of the arguments, in hexadecimal notation. */
  argumentsDigest: string;
  /** `asked` if the user must confirm the call first. After the confirmation, the call is reported again. */
  outcome: 'done' | 'failed' | 'asked';
  /** The duration in milliseconds. */
  duration: number;
}

/** A tool with its description and implementation. */
export interface Tool {
  name: string;
  /** The display name. @defaultValue derived from the name */
  title?: string;
  /** The description for models: when to use the tool, what it returns, and its limits. */
  description: string;
  inputSchema: InputSchema;
  annotations: Annotations;
  /** The operations that the tool calls. Their scopes and methods determine whether the tool is offered. */
  operations: readonly OperationId[];
  /** Whether the result contains rows that programs can use. If so, the tool has an output schema. */
  hasRows?: boolean;
  /**
   * Whether the tool always requires confirmation. If so, the tool is hidden from clients that can't ask the
   * user.
   */
  alwaysAsks?: boolean | undefined;
  /** Checks the arguments and runs the tool, or returns a question for the user. */
  run(args: Arguments, call: ToolCall): Promise<Reply | Question>;
}

/** A question for the user, and what to do after the user has answered it. */
export interface Question {
  /** The text of the question. Describes everything that the call will do. */
  question: string;
  /**
   * The arguments with IDs instead of names. An approval is valid only for these IDs, because a name may
   * refer to a different record by the time the user answers.
   */
  target?: Arguments | undefined;
  /** What the model can do instead if the client can't ask the user. */
  alternative?: string | undefined;
  /** Runs the tool after the user has confirmed. */
  proceed(): Promise<Reply>;
}

/** Returns the tool name for an operation. Model APIs don't allow dots in function names. */
export const toolNameOf = (id: OperationId): string => id.replaceAll('.', '_');

/**
 * Runs at most four calls at a time, so that a single tool call can't exhaust the rate limit. Returns the
 * results in the same order as the items.
 *
 * @param call reports the progress of this call
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => PromiseLike<Result>,
  call?: ToolCall,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as Item);
      call?.progress?.(items.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, items.length) }, worker));
  return results;
}
