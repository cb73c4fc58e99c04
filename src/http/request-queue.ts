import type { Budget } from '../options.js';
import { now } from '../shared/now.js';
import { race } from './race.js';
import type { TimeLimit } from './time-limit.js';

/** A first-come, first-served queue for attempts. */
export interface RequestQueue {
  /**
   * Waits for a turn. If `callLimit` aborts, the attempt leaves the queue and the promise rejects.
   *
   * @returns a function to call when the attempt ends; pass true if the request was sent
   */
  enter(callLimit: TimeLimit): Promise<(isSent?: boolean) => void>;
}

const minute = 60_000;

/** Creates a queue that keeps a client within its budget. */
export function createRequestQueue({
  requestsPerMinute = Infinity,
  concurrency = Infinity,
}: Budget): RequestQueue {
  const waiting: (() => void)[] = [];
  /** The start times of attempts in the last minute. */
  const started: number[] = [];
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const admit = () => {
    clearTimeout(timer);
    while (waiting.length && running < concurrency) {
      const time = now();
      while ((started[0] ?? time) <= time - minute) started.shift();
      if (started.length >= requestsPerMinute) {
        timer = setTimeout(admit, (started[0] as number) + minute - time);
        return;
      }
      if (requestsPerMinute !== Infinity) started.push(time);
      running++;
      waiting.shift()?.();
    }
  };
  const release = (isSent?: boolean) => {
    running--;
    if (!isSent) started.pop();
    admit();
  };

  return {
    async enter(callLimit) {
      let takeTurn = () => {};
      const turn = new Promise<void>((resolve) => {
        takeTurn = resolve;
      });
      waiting.push(takeTurn);
      admit();
      try {
        await race(turn, callLimit);
        return release;
      } catch (reason) {
        const index = waiting.indexOf(takeTurn);
        if (index < 0) release();
        else waiting.splice(index, 1);
        // Restarts the timer for the next attempt in the queue. If the queue is empty, stops the timer, which
        // would otherwise keep the process alive.
        admit();
        throw reason;
      }
    },
  };
}
