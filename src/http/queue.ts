import { type Limit, race } from './interrupt.js';

/** Limits that a client sets itself, over all its calls. */
export interface Budget {
  /** Attempts begun in any 60 seconds, an integer from 1; no limit by default. */
  requestsPerMinute?: number | undefined;
  /** Attempts under way at once, an integer from 1; no limit by default. */
  concurrency?: number | undefined;
}

/** A queue for attempts: first come, first served. */
export interface Queue {
  /**
   * Waits for a turn; the end of the limit leaves the queue.
   *
   * @returns what must be called when the attempt has ended
   */
  enter(bounds: Limit): Promise<() => void>;
}

const minute = 60_000;

export function createQueue({ requestsPerMinute = Infinity, concurrency = Infinity }: Budget): Queue {
  const waiting: (() => void)[] = [];
  const begun: number[] = [];
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const admit = () => {
    clearTimeout(timer);
    while (waiting.length && running < concurrency) {
      const now = Date.now();
      while ((begun[0] ?? now) <= now - minute) begun.shift();
      if (begun.length >= requestsPerMinute) {
        timer = setTimeout(admit, (begun[0] as number) + minute - now);
        return;
      }
      if (requestsPerMinute !== Infinity) begun.push(now);
      running++;
      waiting.shift()?.();
    }
  };

  return {
    async enter(bounds) {
      let turn = () => {};
      const turned = new Promise<void>((resolve) => {
        turn = resolve;
      });
      waiting.push(turn);
      admit();
      const leave = () => {
        running--;
        admit();
      };
      try {
        await race(turned, bounds);
        return leave;
      } catch (reason) {
        const place = waiting.indexOf(turn);
        if (place < 0) leave();
        else waiting.splice(place, 1);
        // Whoever comes next sets the timer again; with nobody left none may keep the process alive.
        admit();
        throw reason;
      }
    },
  };
}
