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
 * Reads a list forward, then backward, and so on, because items move between pages while the list is read. A
 * forward pass misses an item only if it moves to a page that has already been read. A backward pass misses
 * an item only if it moves in the other direction.
 *
 * The read is finished when two passes in a row agree: they contain the same items, or neither found an item
 * that earlier passes missed. Items created in the meantime don't count. The last page of a pass is also the
 * first page of the next one.
 */
export class CompleteRead implements ReadPlan {
  readonly #operation: OperationId;
  readonly #seen = new Set<unknown>();
  #passes = 1;
  #direction: 1 | -1 = 1;
  #seenInPass = new Set<unknown>();
  /** Whether the pass found an item that existed when the read started and that earlier passes missed. */
  #foundMissed = true;
  #previous: { ids: ReadonlySet<unknown>; foundMissed: boolean } | undefined;
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
    const data = page.data.filter((item) => this.#isNew(item));
    // Without page info, a pass ends with a page that contains nothing but items from earlier pages of the pass.
    const hasNext = page.hasNext ?? page.data.some((item) => !this.#seenInPass.has(idOf(item)));
    for (const item of page.data) this.#seenInPass.add(idOf(item));
    return { data, next: this.#nextPage(page, number, hasNext) };
  }

  #nextPage(page: DecodedPage, number: number, hasNext: boolean): number | undefined {
    const direction = this.#direction;
    if (number === 1 && !hasNext) return undefined;
    if (direction === 1 && hasNext) {
      if (number < this.#maxPages) return number + 1;
      throw this.#incomplete(
        `the server still reports more pages after ${number}; check the "page" setting of option "wire"`,
      );
    }
    if (direction === -1 && number > 1) return previousPage(page, number);
    if (this.#passesAgree()) return undefined;
    if (this.#passes === maxPasses) {
      throw this.#incomplete(
        `the list was still changing after ${maxPasses} passes; add filters, or try again later`,
      );
    }
    this.#passes++;
    this.#previous = { ids: this.#seenInPass, foundMissed: this.#foundMissed };
    this.#seenInPass = new Set(page.data.map(idOf));
    this.#foundMissed = false;
    this.#direction = direction === 1 ? -1 : 1;
    return direction === 1 ? previousPage(page, number) : number + 1;
  }

  #passesAgree(): boolean {
    const ids = this.#seenInPass;
    const previous = this.#previous;
    if (this.#foundMissed || !previous) return false;
    if (!previous.foundMissed) return true;
    return previous.ids.size === ids.size && [...previous.ids].every((id) => ids.has(id));
  }

  #isNew(item: unknown): boolean {
    const id = idOf(item);
    if (id === undefined || id === null) throw this.#incomplete('an item has no "id"');
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    // New items don't prolong the read, because otherwise it might never finish on a busy list. If either
    // time is unknown, the comparison is false, and the item counts as missed.
    const isCreatedLater = createdAt(item) > (this.#startedBefore as number);
    if (!isCreatedLater) this.#foundMissed = true;
    return true;
  }

  #incomplete(problem: string): IncompleteListError {
    const operation = this.#operation;
    return new IncompleteListError(`${operation}: can't read the list completely: ${problem}`, {
      operation,
      passes: this.#passes,
    });
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

const idOf = (item: unknown) => (Object(item) as { id?: unknown }).id;

export const createdAt = (item: unknown) => Date.parse(`${(item as { created_at?: unknown }).created_at}`);
