/** Settles with the promise's result, or rejects with the signal's reason if the signal is aborted first. */
export function abortable<Value>(signal: AbortSignal | undefined, promise: Promise<Value>): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
