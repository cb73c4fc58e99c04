import type {
  ErrorCode,
  FieldErrors,
  OperationId,
  ParamsOf,
  SentBodyOf,
  SentQueryOf,
} from '../../src/contract/index.js';
import { isObject } from '../../src/wire/index.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { requireOperation } from '../options/require-operation.js';
import { ErrorResponse } from '../rules/index.js';
import type { RuleResult } from '../rules/rule.js';

/** A request as an override sees it: admitted, its records found, its payload valid. */
export interface OverrideCall<Id extends OperationId> {
  readonly operation: Id;
  /** Path parameters, decoded. */
  readonly params: ParamsOf<Id>;
  readonly query: SentQueryOf<Id>;
  readonly body: SentBodyOf<Id>;
  readonly credential: { readonly id: string; readonly name: string };
  /** Its body may have been read: what it held is `body`. */
  readonly request: Request;
}

/**
 * Stands in the place of an operation's rule.
 *
 * @param next gives the real answer, a copy that may be changed; a page as `{ items, total }`
 * @returns what the operation answers with, without its envelope, or a whole `Response`
 * @throws what {@link errorResponse} makes, for a refusal
 */
export type Override<Id extends OperationId> = (
  call: OverrideCall<Id>,
  next: () => Promise<RuleResult<Id>>,
) => RuleResult<Id> | Response | Promise<RuleResult<Id> | Response>;

export interface OverrideOptions {
  /** Whether it stands for one request only. */
  once?: boolean | undefined;
}

/**
 * Makes a refusal for an override to throw: the status is the code's, the body as for any other.
 *
 * @example
 * mock.override('tickets.move', () => {
 *   throw errorResponse('wip_limit_reached', 'Not today.', { board_id: ['is closed on Fridays'] });
 * });
 */
export const errorResponse = (code: ErrorCode, message: string, fieldErrors?: FieldErrors): Error =>
  new ErrorResponse(code, message, fieldErrors);

// biome-ignore lint/suspicious/noExplicitAny: an override of any operation; `add` sees to it that id and function fit
type AnyOverride = Override<any>;

/** The overrides in force, the latest first. */
export class Overrides {
  readonly #byOperation = new Map<OperationId, { override: AnyOverride; once: boolean }[]>();

  /** @returns a function that takes it back */
  add<Id extends OperationId>(
    operation: Id,
    override: Override<Id>,
    options: OverrideOptions = {},
  ): () => void {
    requireOperation('override', operation);
    if (typeof override !== 'function') {
      throw new TypeError(`override: what answers ${operation} must be a function`);
    }
    if (!isObject(options)) throw new TypeError('override takes an object of options');
    refuseUnknown('override', options, { once: true });
    const { once = false } = options;
    if (typeof once !== 'boolean') throw new TypeError('override: option "once" must be true or false');
    const entry = { override: override as AnyOverride, once };
    this.#byOperation.set(operation, [entry, ...(this.#byOperation.get(operation) ?? [])]);
    return () => this.#remove(operation, entry);
  }

  clear(): void {
    this.#byOperation.clear();
  }

  has(operation: OperationId): boolean {
    return this.#byOperation.has(operation);
  }

  /** Runs the operation's overrides around its rule. */
  run(call: OverrideCall<OperationId>, rule: () => Promise<unknown>): Promise<unknown> {
    const entries = [...(this.#byOperation.get(call.operation) ?? [])];
    const step = async (index: number): Promise<unknown> => {
      const entry = entries[index];
      // Records share lists with the state: what an override changes must be its own.
      if (!entry) return structuredClone(await rule());
      if (entry.once) this.#remove(call.operation, entry);
      return entry.override(call as never, () => step(index + 1) as never);
    };
    return step(0);
  }

  #remove(operation: OperationId, entry: object): void {
    const left = (this.#byOperation.get(operation) ?? []).filter((other) => other !== entry);
    if (left.length > 0) this.#byOperation.set(operation, left);
    else this.#byOperation.delete(operation);
  }
}
