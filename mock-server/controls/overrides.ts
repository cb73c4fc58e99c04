import * as z from 'zod/mini';
import type {
  ErrorCode,
  FieldErrors,
  OperationId,
  ParamsOf,
  SentBodyOf,
  SentQueryOf,
} from '../../src/contract/index.js';
import { boolean, checkOptions } from '../../src/option-schema.js';
import { RejectedRequest } from '../rules/index.js';
import type { RuleResult } from '../rules/rule.js';
import { InvalidInputError, requireOperation } from '../state/invalid-input-error.js';

/**
 * The request passed to an override. It has been authorized and validated, and the records that its path
 * refers to exist.
 */
export interface OverrideCall<Id extends OperationId> {
  readonly operation: Id;
  /** The decoded path parameters. */
  readonly params: ParamsOf<Id>;
  readonly query: SentQueryOf<Id>;
  readonly body: SentBodyOf<Id>;
  readonly credential: { readonly id: string; readonly name: string };
  /** The original request. Its body may already have been consumed, so use `body` instead. */
  readonly request: Request;
}

/**
 * Replaces an operation's rule. To reject the request, throw an error created by {@link errorResponse}.
 *
 * @param next runs the rule and returns a copy of its result that you can modify. For paginated operations,
 * the result is `{ items, total }`.
 * @returns the operation's result without its envelope, or a `Response`
 */
export type Override<Id extends OperationId> = (
  call: OverrideCall<Id>,
  next: () => Promise<RuleResult<Id>>,
) => RuleResult<Id> | Response | Promise<RuleResult<Id> | Response>;

export interface OverrideOptions {
  /**
   * Whether the override applies to only one request.
   * @defaultValue false
   */
  once?: boolean | undefined;
}

/**
 * Creates an error for an override to throw. The error code determines the response status.
 *
 * @example
 * mock.override('tickets.move', () => {
 *   throw errorResponse('wip_limit_reached', 'Not today.', { board_id: ['is closed on Fridays'] });
 * });
 */
export const errorResponse = (code: ErrorCode, message: string, fieldErrors?: FieldErrors): Error =>
  new RejectedRequest(code, message, fieldErrors);

const optionFields: Record<keyof OverrideOptions, z.core.$ZodType> = { once: boolean() };
const schema = z.strictObject(optionFields);

// biome-ignore lint/suspicious/noExplicitAny: an override for any operation; `add` checks that the ID and the function match
type AnyOverride = Override<any>;

interface Entry {
  operation: OperationId;
  override: AnyOverride;
  once: boolean;
}

export class Overrides {
  /** The overrides, newest first. */
  #entries: readonly Entry[] = [];

  /** @returns a function that removes the override */
  add<Id extends OperationId>(
    operation: Id,
    override: Override<Id>,
    options: OverrideOptions = {},
  ): () => void {
    requireOperation('override', operation);
    if (typeof override !== 'function') {
      throw new InvalidInputError(
        `override: the override for ${operation} must be a function (got ${typeof override})`,
      );
    }
    checkOptions(schema, options, { fail: (message) => new InvalidInputError(`override: ${message}`) });
    const { once = false } = options;
    const entry = { operation, override: override as AnyOverride, once };
    this.#entries = [entry, ...this.#entries];
    return () => this.#remove(entry);
  }

  clear(): void {
    this.#entries = [];
  }

  /** Saves the overrides. Returns a function that restores them. */
  checkpoint(): () => void {
    const entries = this.#entries;
    return () => {
      this.#entries = entries;
    };
  }

  has(operation: OperationId): boolean {
    return this.#entries.some((entry) => entry.operation === operation);
  }

  /** Runs the operation's overrides, and its rule if they call `next`. */
  run(call: OverrideCall<OperationId>, rule: () => Promise<unknown>): Promise<unknown> {
    const entries = this.#entries.filter(({ operation }) => operation === call.operation);
    const step = async (index: number): Promise<unknown> => {
      const entry = entries[index];
      // Overrides get a copy that they can modify, because records share lists with the state.
      if (!entry) return structuredClone(await rule());
      if (entry.once) this.#remove(entry);
      return entry.override(call as never, () => step(index + 1) as never);
    };
    return step(0);
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }
}
