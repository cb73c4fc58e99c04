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

/** What every error knows about the call it ended. */
export interface ErrorContext {
  outcome: Outcome;
  /** The operation's id, for example `tickets.move`; undefined for an error of the client itself. */
  operation?: OperationId | undefined;
  /** Attempts made, the first included; 0 when nothing was sent. */
  attempts?: number | undefined;
  /** The request's id as the server gave it. */
  requestId?: string | undefined;
  cause?: unknown;
}

// From the global registry: another copy of this package, bundled elsewhere, finds the same one.
const brand: unique symbol = Symbol.for('worktrack.error');

/**
 * Base of every error that this package throws.
 *
 * Errors of two copies of the package recognise each other: `instanceof` and the guards go by a
 * brand, not by the identity of the class.
 */
export class WorktrackError extends Error implements ErrorContext {
  declare readonly name: string;
  /** Stable, for programs; one for each class. */
  declare readonly code: string;
  declare readonly outcome: Outcome;
  declare readonly operation?: OperationId;
  declare readonly attempts: number;
  declare readonly requestId?: string;
  /** @internal the names of its class and of those above */
  declare readonly [brand]: readonly string[];

  static {
    brandAs(WorktrackError, 'WorktrackError', 'worktrack');
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the class that stands right of `instanceof`
    const { prototype } = this;
    // A class that a user derives from ours has no brand of its own: the ordinary rule holds for it.
    if (!Object.hasOwn(prototype, brand))
      return Object.prototype.isPrototypeOf.call(prototype, Object(value));
    const brands: unknown = (value as WorktrackError | null | undefined)?.[brand];
    return Array.isArray(brands) && brands.includes(prototype[brand][0]);
  }

  constructor(message: string, { cause, ...context }: ErrorContext) {
    super(message, cause === undefined ? undefined : { cause });
    for (const [name, value] of Object.entries({ attempts: 0, ...context })) {
      if (value === undefined) continue;
      // Too long, and too private, to be printed wherever an error is logged.
      const enumerable = name !== 'body' && name !== 'headers';
      Object.defineProperty(this, name, { value, enumerable, configurable: true });
    }
  }

  /** The error as plain data, without the answer's headers and body, for logs. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, cause } = this;
    return { name, code, message, ...(this as object), ...(cause !== undefined && { cause: String(cause) }) };
  }
}

/** Gives a class of errors its name and code, on the prototype, where minifiers and spreads leave them alone. */
export function brandAs(errorClass: { prototype: object }, name: string, code: string): void {
  // Node.js prints an error by the name of its class, which a bundler may have changed.
  Object.defineProperty(errorClass, 'name', { value: name });
  const above = (errorClass.prototype as Partial<WorktrackError>)[brand] ?? [];
  Object.defineProperties(errorClass.prototype, {
    name: { value: name, writable: true },
    code: { value: code },
    [brand]: { value: [name, ...above] },
  });
}
