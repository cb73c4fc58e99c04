/** Counts a client's calls in flight. */
export class Activity {
  #calls = 0;
  #waiting: (() => void)[] = [];

  start(): void {
    this.#calls++;
  }

  end(): void {
    if (--this.#calls) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Waits until no call is in flight, including calls that the results of earlier calls lead to. */
  async idle(): Promise<void> {
    do {
      if (this.#calls) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      // Code that awaited the last call may make another one immediately, such as for the next page.
      await new Promise((resolve) => setTimeout(resolve));
    } while (this.#calls);
  }
}
