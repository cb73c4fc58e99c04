import { ref, shallowRef } from 'vue';
import type { Ticket } from 'worktrack';

/** The number of tickets to request at a time. */
export const ticketsPerPage = 50;

type ReadPage = (page: number) => Promise<{ data: Ticket[]; total: number }>;
type Attempt = (load: () => Promise<void>) => Promise<void>;

/**
 * A board's tickets. Only the visible pages are loaded, because a board can have many thousands of tickets.
 */
export class BoardTickets {
  /** The tickets that match the search, by index. Tickets that aren't loaded are undefined. */
  readonly list = shallowRef<readonly (Ticket | undefined)[]>([]);
  /** The number of tickets on the board, including those that don't match the search. */
  readonly total = ref(0);

  readonly #read: ReadPage;
  readonly #attempt: Attempt;
  readonly #loading = new Set<number>();
  #visible: { from: number; to: number } | undefined;
  #version = 0;
  #holds = 0;
  #isOutdated = true;

  /** @param attempt runs a function that loads tickets, and shows its error */
  constructor(read: ReadPage, attempt: Attempt) {
    this.#read = read;
    this.#attempt = attempt;
  }

  /** Loads the tickets in a range of indexes and keeps them up to date. */
  async show(from: number, to: number): Promise<void> {
    this.#visible = { from, to };
    await this.#attempt(() =>
      this.#isOutdated ? this.reload() : this.#load(this.#pages().filter((page) => !this.#isLoaded(page))),
    );
  }

  /** Stops keeping the tickets up to date. Call this when they're out of view. */
  hide(): void {
    this.#visible = undefined;
    this.#isOutdated = true;
  }

  /** Reads the visible tickets again. Discards all other tickets, because they may also have changed. */
  async reload(): Promise<void> {
    this.#isOutdated = true;
    if (!this.#visible || this.#holds > 0) return;
    this.#isOutdated = false;
    this.#version += 1;
    this.#loading.clear();
    await this.#load(this.#pages(), true);
  }

  /** Updates the board's size without reading its tickets. Returns whether it has changed. */
  resize(total: number): boolean {
    if (this.#holds > 0 || total === this.total.value) return false;
    this.total.value = total;
    return true;
  }

  /**
   * Until the returned function is called, keeps reloads from undoing a change that the server hasn't
   * confirmed yet.
   */
  hold(): () => Promise<void> {
    this.#holds += 1;
    return async () => {
      this.#holds -= 1;
      if (this.#isOutdated) await this.reload();
    };
  }

  insert(index: number, ticket: Ticket): void {
    this.list.value = this.list.value.toSpliced(index, 0, ticket);
    this.total.value += 1;
  }

  remove(id: string): void {
    const index = this.indexOf(id);
    if (index < 0) return;
    this.list.value = this.list.value.toSpliced(index, 1);
    this.total.value -= 1;
  }

  indexOf(id: string): number {
    return this.list.value.findIndex((ticket) => ticket?.id === id);
  }

  #pages(): number[] {
    const { from, to } = this.#visible ?? { from: 0, to: 0 };
    const first = pageAt(from);
    return Array.from({ length: pageAt(Math.max(from, to)) - first + 1 }, (_, offset) => first + offset);
  }

  #isLoaded(page: number): boolean {
    const start = (page - 1) * ticketsPerPage;
    const end = Math.min(start + ticketsPerPage, this.list.value.length);
    for (let index = start; index < end; index += 1) if (!this.list.value[index]) return false;
    return true;
  }

  async #load(pages: number[], isReload = false): Promise<void> {
    const missing = pages.filter((page) => !this.#loading.has(page));
    if (missing.length === 0) return;
    for (const page of missing) this.#loading.add(page);
    const version = this.#version;
    const found = await Promise.all(
      missing.map(async (page) => [page, await this.#read(page)] as const),
    ).finally(() => {
      if (version === this.#version) for (const page of missing) this.#loading.delete(page);
    });
    // A newer reload has started, or the user has moved a ticket in the meantime.
    if (version !== this.#version) return;
    if (this.#holds > 0) {
      this.#isOutdated = true;
      return;
    }
    const before = this.list.value;
    const total = Math.max(...found.map(([, page]) => page.total));
    const list: (Ticket | undefined)[] = isReload ? [] : before.slice(0, total);
    list.length = total;
    for (const [page, { data }] of found) {
      data.forEach((ticket, offset) => {
        const index = (page - 1) * ticketsPerPage + offset;
        // Reuse the objects of unchanged tickets so that their cards don't re-render.
        const old = before[index];
        list[index] = old && JSON.stringify(old) === JSON.stringify(ticket) ? old : ticket;
      });
    }
    this.list.value = list;
  }
}

const pageAt = (index: number): number => Math.floor(index / ticketsPerPage) + 1;
