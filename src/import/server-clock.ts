/** Estimates the time on the API's server. The import needs it to tell new records from older ones. */
export class ServerClock {
  /** When the API last responded to a search, according to this process's monotonic clock. */
  reachedAt = Number.NEGATIVE_INFINITY;
  #latest: { createdAt: string; setAt: number } | undefined;

  /** @param createdAt the `created_at` of a record that was just created */
  set(createdAt: string): void {
    this.#latest = { createdAt, setAt: performance.now() };
  }

  /**
   * Returns the time on the server: the `created_at` of the last record, plus the whole seconds since then.
   *
   * The result can be too early, because this machine's clock stops while the machine is suspended. It must
   * never be too late, because the import wouldn't recognize a record that seems too old. So it allows for a
   * clock that is slightly faster than the server's.
   *
   * @returns undefined if the time is unknown
   */
  now(): string | undefined {
    if (!this.#latest) return undefined;
    const { createdAt, setAt } = this.#latest;
    const seconds = Math.floor(((performance.now() - setAt) / 1000) * slowest);
    const time = Date.parse(createdAt) + seconds * 1000;
    return seconds > 0 && !Number.isNaN(time) ? new Date(time).toISOString() : createdAt;
  }
}

/** The minimum speed of the server's clock, relative to this machine's clock. */
const slowest = 0.999;
