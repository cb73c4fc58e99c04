import { onAbort } from '../http/time-limit.js';
import { type Ledger, LedgerError } from './ledger.js';
import type { RequestContext } from './target.js';

/** How often ownership is confirmed while a request is waiting, in milliseconds. */
const interval = 100;

/**
 * Sends a request while this process owns the row. The request may have to wait, for example in the client's
 * queue, and if the process is suspended meanwhile, another process can take over. Then the request is aborted,
 * which prevents it from being sent if it's still waiting.
 *
 * @throws LedgerError if this process no longer owns the row
 */
export async function whileOwned<Result, Context extends RequestContext>(
  ledger: Ledger,
  key: string,
  context: Context,
  send: (context: Context) => Promise<Result>,
): Promise<Result> {
  await ledger.confirmOwnership?.(key);
  if (!ledger.confirmOwnership) return send(context);
  const controller = new AbortController();
  const removeListener = onAbort(context.signal, () => controller.abort(context.signal.reason));
  let isChecking = false;
  let loss: LedgerError | undefined;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      await ledger.confirmOwnership?.(key);
    } catch (error) {
      // After other errors, such as a lost connection to the store, this process may still own the row.
      if (!(error instanceof LedgerError)) return;
      loss = error;
      controller.abort(error);
    } finally {
      isChecking = false;
    }
  }, interval);
  try {
    return await send({ ...context, signal: controller.signal });
  } catch (error) {
    throw loss ?? error;
  } finally {
    clearInterval(timer);
    removeListener();
  }
}
