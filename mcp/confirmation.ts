import {
  acceptedContent,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Reply } from './results/reply.js';
import type { Arguments, Tool, ToolCall } from './tools/tool.js';

/** Asks the user to confirm before a tool deletes something or notifies people. */
export class Confirmation {
  readonly #codec: RequestStateCodec<string>;
  readonly #allowDestructive: boolean;

  /**
   * @param key the signing key that prevents reusing a confirmation with different arguments. All processes
   * that serve the same URL need the same key.
   * @param allowDestructive whether to skip confirmation if the client can't prompt its user
   */
  constructor(key: Uint8Array | string, allowDestructive: boolean) {
    this.#codec = createRequestStateCodec<string>({ key });
    this.#allowDestructive = allowDestructive;
  }

  readonly verify = (state: string, context: ServerContext): Promise<string> =>
    this.#codec.verify(state, context);

  /** @returns `'go'`, a question for the user, or the reason the tool can't run */
  async of(
    { name, question }: Tool,
    args: Arguments,
    call: ToolCall,
    context: ServerContext,
    client: ClientCapabilities | undefined,
  ): Promise<'go' | InputRequiredResult | Reply> {
    if (!question) return 'go';
    if (!canAsk(client)) return this.#allowDestructive ? 'go' : confirmationUnavailable(name);
    const { mcpReq } = context;
    const purpose = await digest(name, args);
    // A confirmation is valid only for the exact call that the user confirmed.
    if (mcpReq.inputResponses && mcpReq.requestState() === purpose) {
      const content = acceptedContent<{ confirm?: unknown }>(mcpReq.inputResponses, 'confirm');
      return content?.confirm === true ? 'go' : declined(name);
    }
    return inputRequired({
      inputRequests: {
        confirm: inputRequired.elicit({
          message: await question(args, call),
          requestedSchema: confirmSchema,
        }),
      },
      requestState: await this.#codec.mint(purpose, context),
    });
  }
}

/** Clients that predate elicitation modes declare `elicitation: {}`. */
const canAsk = (client: ClientCapabilities | undefined): boolean => {
  const { elicitation } = client ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
};

const confirmSchema = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Confirm' } },
  required: ['confirm'],
};

const confirmationUnavailable = (name: string): Reply => ({
  isError: true,
  heading: `${name} requires the user's confirmation, but this client can't ask for it. Nothing was changed. To allow the call, the user can start the server with --allow-destructive.`,
});

const declined = (name: string): Reply => ({
  isError: true,
  heading: `${name}: the user declined. Nothing was changed. Do not try again unless the user asks you to.`,
});

async function digest(name: string, args: Arguments): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([name, sorted(args)]));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const sorted = (args: Arguments) => Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
