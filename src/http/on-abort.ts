import type { Cancellation } from '../transport.js';

/**
 * Calls the listener when the signal aborts, or immediately if it has already aborted.
 *
 * @returns a function that removes the listener
 */
export function onAbort(source: AbortSignal | Cancellation, listener: () => void): () => void {
  if ('listen' in source) return source.listen(listener);
  const listeners = listenersOf.get(source) ?? new Set();
  listenersOf.set(source, listeners);
  if (source.aborted) listener();
  else if (listeners.add(listener).size === 1) source.addEventListener('abort', callListeners);
  return () => {
    if (listeners.delete(listener) && listeners.size === 0) {
      source.removeEventListener('abort', callListeners);
    }
  };
}

/**
 * A signal's listeners share one event listener, because Node.js warns about a leak if a signal has more than
 * ten.
 */
const listenersOf = /* @__PURE__ */ new WeakMap<AbortSignal, Set<() => void>>();

function callListeners(this: AbortSignal): void {
  for (const listener of listenersOf.get(this) ?? []) listener();
}
