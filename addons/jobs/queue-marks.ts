import type { FoundMarks } from './reader.js';

/** A complete read of the marks. */
interface MarksRead {
  /** When the read began, on this process's clock and in milliseconds since 1970. */
  startedAt: number;
  date: number;
  found: Promise<FoundMarks>;
}

/**
 * The marks of the records. A worker's jobs share each complete read. A read certainly contains a record only if the
 * record existed when the read began, so it must begin after the request that may have created the record.
 */
export class SharedMarks {
  readonly #read: () => Promise<FoundMarks>;
  #last: MarksRead | undefined;
  #next: Promise<MarksRead> | undefined;

  constructor(read: () => Promise<FoundMarks>) {
    this.#read = read;
  }

  /**
   * Returns the ID of a row's oldest record.
   *
   * @param started what the row's job says about its last request. If there was none, any read is recent enough.
   */
  async idOf(key: string, started: true | number | undefined): Promise<string | undefined> {
    const calledAt = performance.now();
    const isRecent = ({ startedAt, date }: MarksRead) =>
      started === undefined ||
      startedAt >= calledAt ||
      (started !== true && date >= started + clockTolerance);
    let read = this.#last;
    while (!read || !isRecent(read)) {
      this.#next ??= this.#begin();
      read = await this.#next;
    }
    return (await read.found).byKey.get(key)?.[0];
  }

  /** Begins a read when the last one is over. */
  async #begin(): Promise<MarksRead> {
    await this.#last?.found.catch(() => {});
    const read = { startedAt: performance.now(), date: Date.now(), found: this.#read() };
    this.#last = read;
    this.#next = undefined;
    read.found.catch(() => {
      if (this.#last === read) this.#last = undefined;
    });
    return read;
  }
}

/** How far the clocks of two machines can be apart, in milliseconds. */
const clockTolerance = 10_000;
