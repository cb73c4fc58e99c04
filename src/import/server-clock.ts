/** The clock of the API's server, as far as an import knows it. */
export class ServerClock {
  /** When the API last responded to a search, by this process's monotonic clock. */
  reachedAt = Number.NEGATIVE_INFINITY;
  #latest: { createdAt: string; setAt: number } | undefined;

  /** @param createdAt the `created_at` of a record that was just created */
  set(createdAt: string): void {
    this.#latest = { createdAt, setAt: performance.now() };
  }

  /**
   * Returns the time on the server, in whole seconds since the last record was created. The result is never
   * too late, because a record that seems too old isn't recognized: this machine's clock may be slightly faster
   * than the server's, and it stops while the machine is suspended.
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

/** How fast the server's clock runs at least, compared with this machine's. */
const slowest = 0.999;
