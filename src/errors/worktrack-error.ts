import type { OperationId } from '../contract/index.js';
import { describeThrown } from '../shared/describe-thrown.js';
import { DOCS_URL } from '../version.js';

/**
 * The outcome of a failed call:
 *
 * - `not_sent`: the request never reached the server.
 * - `rejected`: the server responded with an error and didn't change anything.
 * - `unknown`: the server may have performed the operation.
 * - `done`: the server performed the operation.
 */
export type Outcome = 'not_sent' | 'rejected' | 'unknown' | 'done';

/** Fields shared by all errors. */
export interface ErrorContext {
  outcome: Outcome;
  /** The operation ID, for example `tickets.move`. Undefined if the error isn't related to an operation. */
  operation?: OperationId | undefined;
  /** The number of attempts, including the first. It's 0 if no attempt was made, and for an `IncompleteListError`. */
  attempts?: number | undefined;
  /** The request ID returned by the server. */
  requestId?: string | undefined;
  cause?: unknown;
}

// The symbol is in the global registry so that `instanceof` works across several copies of this package.
const brand: unique symbol = Symbol.for('worktrack.error');

/**
 * The base class of all errors that the client throws. Errors from imports and change feeds extend `Error`
 * instead.
 *
 * `instanceof` also works for errors from other copies of the package, because it checks for a brand rather
 * than comparing classes.
 */
export class WorktrackError extends Error implements ErrorContext {
  declare readonly name: string;
  /**
   * A stable, machine-readable code. This is the server's code if it sent one, and the error class's code
   * otherwise.
   */
  declare readonly code: string;
  declare readonly outcome: Outcome;
  declare readonly operation?: OperationId;
  declare readonly attempts: number;
  declare readonly requestId?: string;
  /** The names of the error class and its base classes. @internal */
  declare readonly [brand]: readonly string[];

  static {
    brandAs(WorktrackError, 'WorktrackError', 'worktrack');
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the right-hand side of `instanceof`
    const { prototype } = this;
    // Subclasses defined by users have no brand, so use the standard `instanceof` behavior for them.
    if (!Object.hasOwn(prototype, brand))
      return Object.prototype.isPrototypeOf.call(prototype, Object(value));
    const brands: unknown = (value as WorktrackError | null | undefined)?.[brand];
    return Array.isArray(brands) && brands.includes(prototype[brand][0]);
  }

  constructor(message: string, { cause, ...context }: ErrorContext) {
    super(message, cause === undefined ? undefined : { cause });
    for (const [name, value] of Object.entries({ attempts: 0, ...context })) {
      if (value === undefined) continue;
      // Headers and bodies can be long and contain sensitive data, so they aren't printed with the error.
      const enumerable = name !== 'body' && name !== 'headers';
      Object.defineProperty(this, name, { value, enumerable, configurable: true });
    }
  }

  /**
   * The URL of the error's documentation page. If no documentation site is configured, only the path, such as
   * `/errors/wip_limit_reached.html`.
   */
  get docs(): string {
    return `${DOCS_URL}/errors/${this[brand][0]}.html`;
  }

  /** Returns the error as plain data for logs, without the response headers or body. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, docs, cause } = this;
    return {
      name,
      code,
      message,
      docs,
      ...(this as object),
      ...(cause !== undefined && { cause: describeThrown(cause) }),
    };
  }
}

/**
 * Sets an error class's name and code on the prototype, so that minifiers and object spreads don't affect
 * them.
 */
export function brandAs(errorClass: { prototype: object }, name: string, code: string): void {
  // Node.js prints the class name, and bundlers may rename classes.
  Object.defineProperty(errorClass, 'name', { value: name });
  const parentNames = (errorClass.prototype as Partial<WorktrackError>)[brand] ?? [];
  Object.defineProperties(errorClass.prototype, {
    name: { value: name, writable: true },
    code: { value: code },
    [brand]: { value: [name, ...parentNames] },
  });
}
