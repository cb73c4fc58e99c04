import { checkBulkOptions } from './http/check-options.js';
import { race } from './http/race.js';

/** How many inputs `bulk` processes at the same time, and how it reports progress. */
export interface BulkOptions {
  /**
   * The number of inputs processed at the same time, an integer from 1 to 1,000.
   *
   * @defaultValue 8
   */
  concurrency?: number | undefined;
  /**
   * Stops `bulk` from starting more inputs. Those in flight finish, so pass the signal to the calls as well.
   */
  signal?: AbortSignal | undefined;
  /**
   * Called after each input. If it throws, the error is printed to the console once, and `bulk` continues.
   */
  onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/** The progress of a bulk run. */
export interface BulkProgress {
  succeeded: number;
  failed: number;
  /** The number of inputs, or undefined if they aren't an array. */
  total: number | undefined;
}

/** The result for one input. */
export type BulkResult<Input, Result> =
  | { ok: true; index: number; input: Input; value: Result }
  | { ok: false; index: number; input: Input; error: unknown };

/** The results for all inputs. */
export interface BulkReport<Input, Result> {
  /** One result for each input that was started, in the order of the inputs. */
  results: BulkResult<Input, Result>[];
  /** The results that failed, in the same order. */
  failures: Extract<BulkResult<Input, Result>, { ok: false }>[];
  /** Whether the signal stopped the run before the last input. */
  stopped: boolean;
}

/**
 * Processes many inputs in order, a limited number of them at the same time. If one fails, the others
 * continue.
 *
 * @param inputs an array or any iterable; the pages of a list are requested as they're needed
 * @param work processes one input
 * @throws {@link ConfigurationError} if an option is unknown or invalid
 * @throws whatever iterating over the inputs throws, after the inputs in flight have finished
 *
 * @example
 * ```ts
 * const { failures } = await bulk(client.tickets.list(project, { q: 'spam' }), ({ id }) => client.tickets.delete(id));
 * for (const { input, error } of failures) console.error(input.title, error);
 * ```
 */
export async function bulk<Input, Result>(
  inputs: Iterable<Input> | AsyncIterable<Input>,
  work: (input: Input, index: number) => Result | PromiseLike<Result>,
  options: BulkOptions = {},
): Promise<BulkReport<Input, Result>> {
  checkBulkOptions(options);
  const { concurrency = 8, signal = new AbortController().signal, onProgress } = options;
  const iterator =
    Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]();
  const total = Array.isArray(inputs) ? inputs.length : undefined;
  const results: BulkResult<Input, Result>[] = [];
  const reportProgress = progressReporter(onProgress);
  let running = 0;
  let succeeded = 0;
  let failed = 0;
  let onFinished = () => {};
  const oneFinished = () =>
    new Promise<void>((resolve) => {
      onFinished = resolve;
    });

  const process = async (index: number, input: Input) => {
    running++;
    try {
      results[index] = { ok: true, index, input, value: await work(input, index) };
      succeeded++;
    } catch (error) {
      results[index] = { ok: false, index, input, error };
      failed++;
    }
    running--;
    reportProgress({ succeeded, failed, total });
    onFinished();
  };

  try {
    for (let index = 0; !signal.aborted; index++) {
      const next = await race(Promise.resolve(iterator.next()), signal);
      if (next.done) break;
      process(index, next.value);
      while (running >= concurrency) await oneFinished();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    while (running > 0) await oneFinished();
    // Releases the resources of the inputs, such as a prefetched page.
    if (signal.aborted) Promise.resolve(iterator.return?.()).catch(() => {});
  }
  const failures = results.filter((result) => !result.ok) as BulkReport<Input, Result>['failures'];
  return { results, failures, stopped: signal.aborted && (total === undefined || results.length < total) };
}

/**
 * Reports progress to the caller's function. If it fails, the run continues and the console isn't flooded.
 */
function progressReporter(onProgress: BulkOptions['onProgress']): (progress: BulkProgress) => void {
  let hasFailed = false;
  return (progress) => {
    // Async, so that it also catches what an async function rejects with.
    const report = async () => onProgress?.(progress);
    report().catch((cause) => {
      if (!hasFailed) console.error(`worktrack: bulk: onProgress failed: ${cause}`);
      hasFailed = true;
    });
  };
}
