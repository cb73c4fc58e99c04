import { checkBulkOptions } from './http/check-options.js';
import { race } from './http/race.js';

/** How many calls are run, and who is told. */
export interface BulkOptions {
  /** Inputs worked on at once, an integer from 1; 8 by default. */
  concurrency?: number | undefined;
  /** Begins no further input; what is under way is waited for, so hand the signal to the calls as well. */
  signal?: AbortSignal | undefined;
  /** Told after each input. What it throws is printed once, to the console, and changes nothing else. */
  onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/** How far a bulk run has come. */
export interface BulkProgress {
  succeeded: number;
  failed: number;
  /** How many inputs there are; undefined where they come one by one. */
  total: number | undefined;
}

/** What became of one input. */
export type BulkResult<Input, Result> =
  | { ok: true; index: number; input: Input; value: Result }
  | { ok: false; index: number; input: Input; error: unknown };

/** What became of all of them. */
export interface BulkReport<Input, Result> {
  /** One for each input that was begun, in the order of the inputs. */
  results: BulkResult<Input, Result>[];
  /** Those that failed, in the same order. */
  failures: Extract<BulkResult<Input, Result>, { ok: false }>[];
  /** Whether the signal ended it before the inputs did. */
  stopped: boolean;
}

/**
 * Works on many inputs, a bounded number at once, in order; a failure is noted and the others go on.
 *
 * @param inputs a list, or anything that can be iterated: of a list that comes in pages each page is
 * asked for when it is needed
 * @param work what is done with one input
 * @throws ConfigurationError for an option that is unknown or cannot be;
 * whatever iterating the inputs throws, once what is under way has ended
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
  let begun = 0;
  let failed = 0;
  let succeeded = 0;
  let isOver = false;

  let hasFailedToTell = false;
  const tell = () => {
    // Runs at once; being async, it also catches what an async listener rejects with.
    const run = async () => onProgress?.({ succeeded, failed, total });
    run().catch((cause) => {
      // What was written must not be lost with the report of it, nor said once for each of 10,000 inputs.
      if (!hasFailedToTell) console.error(`worktrack: bulk: onProgress failed: ${cause}`);
      hasFailedToTell = true;
    });
  };

  const runner = async () => {
    while (!isOver && !signal.aborted) {
      const index = begun++;
      const next = await race(Promise.resolve(iterator.next()), signal).catch((reason) => {
        isOver = true;
        if (!signal.aborted) throw reason;
      });
      if (!next || next.done) {
        isOver = true;
        return;
      }
      const input = next.value;
      try {
        results[index] = { ok: true, index, input, value: await work(input, index) };
        succeeded++;
      } catch (error) {
        results[index] = { ok: false, index, input, error };
        failed++;
      }
      tell();
    }
  };
  const runners = await Promise.allSettled(Array.from({ length: concurrency }, runner));
  // Lets go of what the inputs hold, such as a page that was asked for ahead.
  if (signal.aborted) Promise.resolve(iterator.return?.()).catch(() => {});
  for (const { reason } of runners as PromiseRejectedResult[]) if (reason !== undefined) throw reason;
  const failures = results.filter((result) => !result.ok) as BulkReport<Input, Result>['failures'];
  return { results, failures, stopped: signal.aborted && (total === undefined || results.length < total) };
}
