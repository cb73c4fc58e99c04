import { checkBulk } from './http/check-options.js';
import type { PageList } from './http/pagination.js';
import { race } from './shared/abort.js';
import { listenerCaller } from './shared/call-listener.js';
import { readOneByOne } from './shared/read-one-by-one.js';

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
  const { concurrency = 8, signal, onProgress } = options;
  const items = isPageList(inputs) ? await readCompletely(inputs, signal) : inputs;
  if (!items) return { results: [], failures: [], stopped: true };
  const source = readOneByOne(items);
  const total = Array.isArray(items) ? items.length : undefined;
  const results: BulkResult<Input, Result>[] = [];
  const notify = listenerCaller('bulk');
  const counts = { succeeded: 0, failed: 0 };
  let count = 0;
  let hasReadAll = false;
  let failure: { cause: unknown } | undefined;

  const process = async (index: number, input: Input) => {
    try {
      results[index] = { ok: true, index, input, value: await work(input, index) };
      counts.succeeded++;
    } catch (error) {
      results[index] = { ok: false, index, input, error };
      counts.failed++;
    }
    const progress = { ...counts, total };
    notify('onProgress', () => onProgress?.(progress));
  };
  const processNext = async () => {
    while (!signal?.aborted) {
      const { value } = await race(source.next(), signal);
      hasReadAll ||= !value;
      if (!value) return;
      await process(count++, value.item);
    }
  };
  const worker = () =>
    processNext().catch((cause) => {
      if (!signal?.aborted) failure ??= { cause };
    });

  await Promise.all(Array.from({ length: concurrency }, worker));
  source.close();
  if (failure) throw failure.cause;
  const failures = results.filter((result) => !result.ok) as BulkReport<Input, Result>['failures'];
  return { results, failures, stopped: signal?.aborted === true && !hasReadAll && count !== total };
}

const isPageList = <Item>(inputs: Iterable<Item> | AsyncIterable<Item>): inputs is PageList<Item> =>
  (inputs as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] === 'PageList';

/** Returns all items in a list, or undefined if the signal aborts first. */
async function readCompletely<Item>(
  list: PageList<Item>,
  signal: AbortSignal | undefined,
): Promise<Item[] | undefined> {
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
    if (!signal?.aborted) throw error;
    return undefined;
  }
}
