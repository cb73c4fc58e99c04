import type { MockServer } from '../../../mock-server/index.js';
import type { Worktrack } from '../../../src/index.js';
import { setSweepControl } from '../sweep-control.js';

/** Makes each feed read once. Resolves when all changes have been delivered. */
export type Sweep = () => Promise<void>;

/**
 * Stops `watchChanges` feeds from reading at intervals, so that a test can control when they read. Applies to
 * feeds that start afterward and use this client or a client derived from it.
 *
 * Each call to the returned function first advances the mock server's clock by the time that the feeds would
 * otherwise wait. The clock also provides the time for each change's `observedAt`.
 *
 * If no feed is running, the returned function waits for one to start. So you can call it immediately after you
 * start or restart the code under test.
 *
 * @throws Error from the returned function if no feed starts within two seconds
 * @throws TypeError if `client` isn't a client of this package
 *
 * @example
 * ```ts
 * const sweep = controlSweeps(mock, client);
 * const bot = runBot(client);
 * await sweep(); // The feed remembers the existing records.
 * await client.tickets.update('tkt_radio', { title: 'Test the radio' });
 * await sweep(); // The bot has handled the change.
 * ```
 */
export function controlSweeps(mock: Pick<MockServer, 'clock'>, client: Worktrack): Sweep {
  /** For each feed, the function that starts its next sweep, or undefined during a sweep. */
  const feeds = new Map<object, Turn | undefined>();
  const waiting = new Set<() => void>();
  const onChange = () => {
    for (const check of waiting) check();
  };
  const until = (isMet: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isMet()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const allWait = () => ![...feeds.values()].includes(undefined);

  setSweepControl(client, () => {
    const feed = {};
    feeds.set(feed, undefined);
    return {
      now: () => mock.clock.now(),
      nextSweep: (intervalMs, signal) =>
        new Promise((resolve) => {
          const start = () => {
            signal?.removeEventListener('abort', start);
            feeds.set(feed, undefined);
            resolve();
          };
          feeds.set(feed, { intervalMs, start });
          if (signal?.aborted) start();
          else signal?.addEventListener('abort', start);
          onChange();
        }),
      end() {
        feeds.delete(feed);
        onChange();
      },
    };
  });

  return async () => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      onChange();
    }, feedStartsWithin);
    // A feed that was stopped may still be running, and its successor may not have started yet.
    await until(() => (feeds.size > 0 ? allWait() : isLate));
    clearTimeout(timer);
    if (feeds.size === 0)
      throw new Error('sweep: no feed is running; make sure the code under test calls watchChanges');
    const turns = [...feeds.values()] as Turn[];
    mock.clock.advance(Math.max(0, ...turns.map(({ intervalMs }) => intervalMs)));
    for (const { start } of turns) start();
    await until(allWait);
  };
}

interface Turn {
  intervalMs: number;
  start(): void;
}

/** How long to wait for a feed to start, in milliseconds of real time. */
const feedStartsWithin = 2000;
