import { createHash } from 'node:crypto';
import {
  acceptedContent,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { by } from '../shared/lists.js';
import { failure, type Reply } from './results/reply.js';
import type { Arguments, Question } from './tools/tool.js';

/** Allows several processes that serve the same URL to accept each other's confirmations. */
export interface SharedConfirmations {
  /** The key for signing confirmations. At least 32 characters. */
  key: string;
  /**
   * Records an ID for ten minutes and returns whether it's new. For example, with Redis:
   * `async (id) => (await redis.set(id, 1, 'EX', 600, 'NX')) === 'OK'`.
   */
  isFirstUse(id: string): boolean | Promise<boolean>;
}

/** Asks the user to confirm before a tool deletes a record, notifies users, or removes formatting. */
export class Confirmation {
  readonly #codec: RequestStateCodec<Approval>;
  readonly #shared: SharedConfirmations;
  readonly #allowDestructive: boolean;

  /**
   * @param allowDestructive whether to skip confirmation if the client can't prompt its user
   * @param shared required if several processes serve the same URL
   */
  constructor(allowDestructive: boolean, shared: SharedConfirmations = inThisProcess()) {
    this.#codec = createRequestStateCodec<Approval>({
      key: shared.key,
      ttlSeconds: lifetime / 1000,
      // Bind each approval to the user who gave it so that no other user can use it.
      bind: ({ http }) => http?.authInfo?.clientId ?? '',
    });
    this.#shared = shared;
    this.#allowDestructive = allowDestructive;
  }

  readonly verify = (state: string, context: ServerContext): Promise<Approval> =>
    this.#codec.verify(state, context);

  /** Whether a tool that always requires confirmation can run. */
  canRun(client: ClientCapabilities | undefined): boolean {
    return this.#allowDestructive || canAsk(client);
  }

  /**
   * @param isStateless whether the connection can't send requests to the client
   * @returns `'go'`, a question for the client to ask, or the reason the tool can't run
   */
  async of(
    name: string,
    args: Arguments,
    { question, target = {}, alternative }: Question,
    context: ServerContext,
    client: ClientCapabilities | undefined,
    isStateless: boolean,
  ): Promise<'go' | InputRequiredResult | Reply> {
    if (!canAsk(client)) return this.#allowDestructive ? 'go' : unavailable(name, isStateless, alternative);
    const { mcpReq } = context;
    // An approval is valid only once, and only for the call, the records, and the question that the user saw.
    const purpose = digest([name, sorted(args), sorted(target), question]);
    const approval = mcpReq.inputResponses && mcpReq.requestState<Approval>();
    if (approval?.purpose === purpose && (await this.#shared.isFirstUse(approval.id))) {
      const content = acceptedContent<{ confirm?: unknown }>(mcpReq.inputResponses, 'confirm');
      return content?.confirm === true ? 'go' : declined(name);
    }
    return inputRequired({
      inputRequests: {
        confirm: inputRequired.elicit({ message: question, requestedSchema: confirmSchema }),
      },
      requestState: await this.#codec.mint({ purpose, id: crypto.randomUUID() }, context),
    });
  }
}

interface Approval {
  /** A digest of the call, its target, and the question. */
  purpose: string;
  id: string;
}

/** Returns the SHA-256 digest of a value, in hexadecimal notation. */
export const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex');

/** How long a user has to answer, in milliseconds. */
const lifetime = 600_000;

/** Creates a key, and stores used approvals until they expire. */
function inThisProcess(): SharedConfirmations {
  const used = new Map<string, number>();
  return {
    key: crypto.randomUUID() + crypto.randomUUID(),
    isFirstUse(id) {
      const now = Date.now();
      for (const [old, time] of used) if (now - time > lifetime) used.delete(old);
      if (used.has(id)) return false;
      used.set(id, now);
      return true;
    },
  };
}

/**
 * Whether the client can prompt its user. Clients that predate elicitation modes declare `elicitation: {}`.
 */
const canAsk = (client: ClientCapabilities | undefined): boolean => {
  const { elicitation } = client ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

const confirmSchema = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Confirm' } },
  required: ['confirm'],
};

const unavailable = (
  name: string,
  isStateless: boolean,
  alternative = 'Ask the user to do this without you.',
): Reply =>
  failure(
    `${name} requires the user's confirmation, but ${isStateless ? 'over HTTP, only clients with MCP version 2026-07-28 or later can ask for it' : "this client can't ask for it"}. Nothing was changed. ${alternative}`,
  );

const declined = (name: string): Reply =>
  failure(`${name}: the user declined. Nothing was changed. Do not try again unless the user asks you to.`);

/** For an internal error, such as one that `isFirstUse` throws. */
export const unconfirmed = (name: string): Reply =>
  failure(
    `${name} failed: internal error while confirming the call; see this MCP server's log. Nothing was changed.`,
  );

const sorted = (args: Arguments) => Object.entries(args).sort(by(([name]) => name));
