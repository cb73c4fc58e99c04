import { checkBulk } from './http/check-options.js';
import type { PageList } from './http/pagination.js';
import { race } from './shared/abort.js';
import { listenerCaller } from './shared/call-listener.js';

/** Options for {@link bulk}. */
export interface BulkOptions {
  /**
   * The maximum number of inputs to process at the same time, from 1 to 1,000.
   *
   * @defaultValue 8
   */
  concurrency?: number | undefined;
  /**
   * Aborting this signal stops `bulk` from processing more inputs. In-flight calls still finish. To abort
   * them too, pass the signal to each call.
   */
  signal?: AbortSignal | undefined;
  /**
   * Called after each input is processed. If it throws, `bulk` continues, and only the first error is printed
   * to the console.
   */
  onProgress?: ((progress: BulkProgress) => unknown) | undefined;
}

/** The progress of a {@link bulk} run. */
export interface BulkProgress {
  succeeded: number;
  failed: number;
  /** The total number of inputs. Undefined if the inputs are neither an array nor a paginated list. */
  total: number | undefined;
}

/** The result for one input. */
export type BulkResult<Input, Result> =
  | { ok: true; index: number; input: Input; value: Result }
  | { ok: false; index: number; input: Input; error: unknown };

/** The results of a {@link bulk} run. */
export interface BulkReport<Input, Result> {
  /** The results for all processed inputs, in input order. */
  results: BulkResult<Input, Result>[];
  /** The failed results, in input order. */
  failures: Extract<BulkResult<Input, Result>, { ok: false }>[];
  /** Whether the signal stopped the run before all inputs were processed. */
  stopped: boolean;
}

/**
 * Processes many inputs in order, with limited concurrency. If processing an input fails, the rest are still
 * processed.
 *
 * A paginated list is read completely, as with `toArray({ complete: true })`, before the first input is
 * processed. Otherwise, `work` could delete or move items, and the items on the next pages would be skipped.
 *
 * @param inputs an array, a paginated list, or any other iterable, which is read as needed
 * @param work the function to call for each input
 * @throws {@link ConfigurationError} if an option is unknown or invalid, or if the inputs aren't iterable
 * @throws {@link IncompleteListError} if a paginated list keeps changing while it's read
 * @throws the iterator's error if reading the inputs fails; in-flight calls finish first
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
  checkBulk(options, inputs);
  const { concurrency = 8, signal = new AbortController().signal, onProgress } = options;
  const source = isPageList(inputs) ? await readCompletely(inputs, signal) : inputs;
  if (!source) return { results: [], failures: [], stopped: true };
  const iterator =
    (source as AsyncIterable<Input>)[Symbol.asyncIterator]?.() ??
    (source as Iterable<Input>)[Symbol.iterator]();
  const total = Array.isArray(source) ? source.length : undefined;
  const results: BulkResult<Input, Result>[] = [];
  const notify = listenerCaller('bulk');
  let running = 0;
  let succeeded = 0;
  let failed = 0;
  let hasReadAll = false;
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
    const progress = { succeeded, failed, total };
    notify('onProgress', () => onProgress?.(progress));
    onFinished();
  };

  try {
    for (let index = 0; !signal.aborted; index++) {
      const next = await race(Promise.resolve(iterator.next()), signal);
      if (next.done) {
        hasReadAll = true;
        break;
      }
      process(index, next.value);
      while (running >= concurrency) await oneFinished();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    while (running > 0) await oneFinished();
    // After an abort, close the iterator so that it releases its resources, such as a prefetched page. Errors
    // are ignored. The async function is needed because a synchronous iterator would throw an error instead
    // of rejecting.
    if (signal.aborted) (async () => iterator.return?.())().catch(() => {});
  }
  const failures = results.filter((result) => !result.ok) as BulkReport<Input, Result>['failures'];
  return { results, failures, stopped: signal.aborted && !hasReadAll && results.length !== total };
}

const isPageList = <Item>(inputs: Iterable<Item> | AsyncIterable<Item>): inputs is PageList<Item> =>
  (inputs as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === 'PageList';

/** Returns all items in a list, or undefined if the signal aborts first. */
async function readCompletely<Item>(list: PageList<Item>, signal: AbortSignal): Promise<Item[] | undefined> {
  const pages = list.pages({ complete: true });
  const items: Item[] = [];
  try {
    for (;;) {
      const next = await race(pages.next(), signal);
      if (next.done) return items;
      for (const item of next.value.data) items.push(item);
    }
  } catch (error) {
    pages.return().catch(() => {});
    if (!signal.aborted) throw error;
    return undefined;
  }
}
