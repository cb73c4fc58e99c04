import { NotFoundError, PermissionDeniedError } from './api-errors.js';

/** Resolves to undefined if the credential isn't allowed to read the requested record. */
export const ifAllowed = <Value>(call: PromiseLike<Value>): Promise<Value | undefined> =>
  unless(PermissionDeniedError, call);

/** Resolves to undefined if the requested record doesn't exist. */
export const unlessMissing = <Value>(call: PromiseLike<Value>): Promise<Value | undefined> =>
  unless(NotFoundError, call);

async function unless<Value>(
  expected: typeof PermissionDeniedError | typeof NotFoundError,
  call: PromiseLike<Value>,
): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof expected) return undefined;
    throw error;
  }
}
