import type { Throttle } from '../options.js';
import { now, race, type TimeLimit } from './time-limit.js';

/** A first-come, first-served queue for attempts. */
export interface RequestQueue {
  /** Waits for a turn. If `callLimit` aborts, the attempt leaves the queue and the promise rejects. */
  enter(callLimit: TimeLimit): Promise<Turn>;
}

/** An attempt's turn to send its request. */
export interface Turn {
  /** Must be called right before the request is sent. The request counts from this moment. */
  startRequest(): void;
  /** Must be called once, when the attempt ends. */
  end(): void;
}

const minute = 60_000;

/** Creates a queue that keeps a client within its throttle. */
export function createRequestQueue({
  requestsPerMinute = Infinity,
  concurrency = Infinity,
}: Throttle): RequestQueue {
  const waiting: (() => void)[] = [];
  /** The start times of the requests in the last minute. */
  const started: number[] = [];
  /** The number of turns whose request hasn't started yet. */
  let unstarted = 0;
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const admit = () => {
    clearTimeout(timer);
    while (waiting.length && running < concurrency) {
      const time = now();
      while ((started[0] ?? time) <= time - minute) started.shift();
      if (started.length + unstarted >= requestsPerMinute) {
        // Without an earlier request, the next turn depends on a turn that has already been given.
        if (started[0] !== undefined) timer = setTimeout(admit, started[0] + minute - time);
        return;
      }
      running++;
      unstarted++;
      waiting.shift()?.();
    }
  };

  const createTurn = (): Turn => {
    let isStarted = false;
    return {
      startRequest() {
        isStarted = true;
        unstarted--;
        if (requestsPerMinute === Infinity) return;
        started.push(now());
        admit();
      },
      end() {
        running--;
        if (!isStarted) unstarted--;
        admit();
      },
    };
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
        return createTurn();
      } catch (reason) {
        const index = waiting.indexOf(takeTurn);
        if (index < 0) createTurn().end();
        else waiting.splice(index, 1);
        // Restarts the timer for the next attempt in the queue. If the queue is empty, stops the timer, which
        // would otherwise keep the process alive.
        admit();
        throw reason;
      }
    },
  };
}
