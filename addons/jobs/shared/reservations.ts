import { onAbort } from '../../../src/shared/abort.js';

/**
 * Returns a function that reserves an object for one user at a time. If the user's signal aborts, the object is
 * released, because an aborted user could wait forever.
 *
 * @param createError creates the error to throw if the object is already in use
 * @returns a function that returns a function to release the object
 */
export function reservations(createError: () => Error) {
  const users = new WeakMap<object, object>();
  return (item: object, signal: AbortSignal | undefined): (() => void) => {
    if (users.has(item)) throw createError();
    const user = {};
    users.set(item, user);
    const release = () => {
      if (users.get(item) === user) users.delete(item);
    };
    const removeListener = signal && onAbort(signal, release);
    return () => {
      removeListener?.();
      release();
    };
  };
}
