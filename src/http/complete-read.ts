import type { OperationId } from '../contract/index.js';
import { IncompleteListError } from '../errors/index.js';
import type { DecodedPage } from '../wire/index.js';

/** Decides which pages of a list to read. */
export interface ReadPlan {
  /**
   * @param page the page that has just been read
   * @param date the response's `Date` header
   * @returns the items that weren't on an earlier page, and the number of the next page, which is undefined
   * if the read is finished
   */
  visit(page: DecodedPage, number: number, date: string | null): ReadStep;
}

export interface ReadStep {
  data: unknown[];
  next: number | undefined;
}

/** The maximum number of passes. If the list is still changing after the last pass, the read fails. */
const maxPasses = 20;

/**
 * Lists with at most this many pages need more passes to confirm a result. A single change is more likely to
 * hide an item in a short list, and reading such a list again takes few requests.
 */
const shortList = 10;

/**
 * Reads a list forward, then backward, and so on, because items move between pages while the list is read. A
 * forward pass misses an item only if it moves to a page that has already been read. A backward pass misses
 * an item only if it moves in the other direction.
 *
 * The read is finished once a pass turns up nothing that earlier passes missed. If the list changed during
 * that pass, the next pass must confirm the result. If the list is short or the server reports more items
 * than were found, the next three passes must confirm it. The last page of a pass is also the first page of
 * the next one.
 */
export class CompleteRead implements ReadPlan {
  readonly #operation: OperationId;
  readonly #seen = new Set<unknown>();
  #pass = new Pass(1);
  #passes = 1;
  #previousIds: ReadonlySet<unknown> = new Set();
  /** The number of consecutive passes that found nothing new. */
  #emptyPasses = 0;
  /** The latest possible start time of the read, according to the server's clock. NaN if it's unknown. */
  #startedBefore: number | undefined;
  #maxPages = 0;

  constructor(operation: OperationId) {
    this.#operation = operation;
  }

  visit(page: DecodedPage, number: number, date: string | null): ReadStep {
    if (this.#startedBefore === undefined) {
      // Add one second, because the `Date` header is only precise to the second.
      this.#startedBefore = Date.parse(date ?? '') + 1000;
      this.#maxPages = 100 + 2 * (Number(page.pageInfo.last_page) || 5000);
    }
    const ids = page.data.map((item) => this.#idOf(item));
    const data = page.data.filter((item, index) => this.#isNew(item, ids[index]));
    const hasNewIds = this.#pass.add(ids, page.pageInfo.total);
    return { data, next: this.#nextPage(page, number, ids, page.hasNext ?? hasNewIds) };
  }

  #nextPage(
    page: DecodedPage,
    number: number,
    ids: readonly unknown[],
    hasNext: boolean,
  ): number | undefined {
    const { direction } = this.#pass;
    if (number === 1 && !hasNext) return undefined;
    if (direction === 1 && hasNext) {
      if (number < this.#maxPages) return number + 1;
      throw this.#incomplete(
        `the server still reports more pages after ${number}; check the "page" setting of option "wire"`,
      );
    }
    if (direction === -1 && number > 1) return previousPage(page, number);
    this.#emptyPasses = this.#pass.foundItems ? 0 : this.#emptyPasses + 1;
    if (this.#isFinished()) return undefined;
    if (this.#passes === maxPasses) {
      throw this.#incomplete(
        `the list was still changing after ${maxPasses} passes; add filters, or try again later`,
      );
    }
    this.#passes++;
    this.#previousIds = this.#pass.ids;
    this.#pass = new Pass(direction === 1 ? -1 : 1);
    this.#pass.add(ids, page.pageInfo.total);
    return direction === 1 ? previousPage(page, number) : number + 1;
  }

  #isFinished(): boolean {
    if (this.#emptyPasses === 0) return false;
    // Items that are missing from both of the last two passes have probably been deleted.
    const recent = new Set([...this.#previousIds, ...this.#pass.ids]);
    const foundTotal = !(recent.size < this.#pass.smallestTotal());
    const confirmed = foundTotal && this.#pass.pages > shortList ? 2 : 4;
    return this.#pass.isSteady() || this.#emptyPasses >= confirmed;
  }

  #isNew(item: unknown, id: unknown): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    // New items don't prolong the read, because otherwise it might never finish on a busy list. If either
    // time is unknown, the comparison is false, and the item counts as found.
    const createdLater = createdAt(item) > (this.#startedBefore as number);
    if (this.#passes === 1 || !createdLater) this.#pass.foundItems = true;
    return true;
  }

  #idOf(item: unknown): unknown {
    const { id } = Object(item) as { id?: unknown };
    if (id === undefined || id === null) throw this.#incomplete('an item has no "id"');
    return id;
  }

  #incomplete(problem: string): IncompleteListError {
    const operation = this.#operation;
    return new IncompleteListError(`${operation}: can't read the list completely: ${problem}`, {
      operation,
      passes: this.#passes,
    });
  }
}

/** One pass over all pages. */
class Pass {
  readonly direction: 1 | -1;
  /** Whether the pass found items that existed when the read started but were missed by earlier passes. */
  foundItems = false;
  readonly ids = new Set<unknown>();
  readonly #totals = new Set<unknown>();
  #hasRepeatedIds = false;
  pages = 0;

  constructor(direction: 1 | -1) {
    this.direction = direction;
  }

  /** @returns whether any of the IDs is new in this pass */
  add(ids: readonly unknown[], total: unknown): boolean {
    this.pages++;
    const sizeBefore = this.ids.size;
    for (const id of ids) this.ids.add(id);
    this.#totals.add(total);
    const added = this.ids.size - sizeBefore;
    if (added < ids.length) this.#hasRepeatedIds = true;
    return added > 0;
  }

  /** NaN if the server doesn't report totals. */
  smallestTotal(): number {
    return Math.min(...[...this.#totals].map((total) => Number(total ?? Number.NaN)));
  }

  /**
   * Whether the pass found as many items as the server reported. If so, the list probably didn't change
   * during the pass.
   */
  isSteady(): boolean {
    const [total] = this.#totals;
    const isTotalKnown = total !== undefined && total !== null;
    return (
      !this.#hasRepeatedIds && this.#totals.size === 1 && (!isTotalKnown || Number(total) === this.ids.size)
    );
  }
}

/**
 * Returns the number of the page before this one. An empty page is past the end, so the last page precedes
 * it.
 */
function previousPage({ data, pageInfo }: DecodedPage, number: number): number {
  const lastPage = Number(pageInfo.last_page);
  return data.length === 0 && lastPage >= 1 && lastPage < number ? lastPage : number - 1;
}

export const createdAt = (item: unknown) => Date.parse(`${(item as { created_at?: unknown }).created_at}`);
