import type { OperationId } from '../contract/index.js';

/**
 * What the server did with a call that failed:
 *
 * - `not_sent`: the request never reached the server.
 * - `rejected`: the server responded with an error and changed nothing.
 * - `unknown`: the server may have performed the operation.
 * - `done`: the server performed the operation.
 */
export type Outcome = 'not_sent' | 'rejected' | 'unknown' | 'done';

/** The fields of every error. */
export interface ErrorContext {
  outcome: Outcome;
  /** The operation ID, for example `tickets.move`. Undefined if the error doesn't belong to an operation. */
  operation?: OperationId | undefined;
  /** The number of attempts, including the first; 0 if nothing was sent. */
  attempts?: number | undefined;
  /** The request ID that the server returned. */
  requestId?: string | undefined;
  cause?: unknown;
}

// From the global registry: another copy of this package, bundled elsewhere, finds the same one.
const brand: unique symbol = Symbol.for('worktrack.error');

/**
 * Base class of all errors that this package throws.
 *
 * `instanceof` and the guards also recognize errors of another copy of the package: they compare a brand, not
 * the identity of the class.
 */
export class WorktrackError extends Error implements ErrorContext {
  declare readonly name: string;
  /** A stable code for programs, one per class. */
  declare readonly code: string;
  declare readonly outcome: Outcome;
  declare readonly operation?: OperationId;
  declare readonly attempts: number;
  declare readonly requestId?: string;
  /** The names of the error's class and its base classes. @internal */
  declare readonly [brand]: readonly string[];

  static {
    brandAs(WorktrackError, 'WorktrackError', 'worktrack');
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the class on the right of `instanceof`
    const { prototype } = this;
    // A user's subclass has no brand, so the ordinary rule applies.
    if (!Object.hasOwn(prototype, brand))
      return Object.prototype.isPrototypeOf.call(prototype, Object(value));
    const brands: unknown = (value as WorktrackError | null | undefined)?.[brand];
    return Array.isArray(brands) && brands.includes(prototype[brand][0]);
  }

  constructor(message: string, { cause, ...context }: ErrorContext) {
    super(message, cause === undefined ? undefined : { cause });
    for (const [name, value] of Object.entries({ attempts: 0, ...context })) {
      if (value === undefined) continue;
      // Headers and bodies are too long and too sensitive to be printed whenever an error is logged.
      const enumerable = name !== 'body' && name !== 'headers';
      Object.defineProperty(this, name, { value, enumerable, configurable: true });
    }
  }

  /** The path of the error's page in the documentation, such as `/errors/wip_limit_reached.html`. */
  get docs(): string {
    return `/errors/${this[brand][0]}.html`;
  }

  /** Returns the error as plain data for logs, without the response's headers and body. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, docs, cause } = this;
    return {
      name,
      code,
      message,
      docs,
      ...(this as object),
      ...(cause !== undefined && { cause: String(cause) }),
    };
  }
}

/** Sets the name and code of an error class, on the prototype, so that minifiers and spreads don't affect them. */
export function brandAs(errorClass: { prototype: object }, name: string, code: string): void {
  // Node.js prints the name of an error's class, which a bundler may have changed.
  Object.defineProperty(errorClass, 'name', { value: name });
  const above = (errorClass.prototype as Partial<WorktrackError>)[brand] ?? [];
  Object.defineProperties(errorClass.prototype, {
    name: { value: name, writable: true },
    code: { value: code },
    [brand]: { value: [name, ...above] },
  });
}
