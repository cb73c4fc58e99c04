import type { JournalEntry } from '../../journal/entry.js';
import type { MockServer } from '../../mock-server.js';
import type { Space } from '../spaces.js';
import { AdminError } from './admin-error.js';
import { viewClock, viewFault } from './views.js';

/** The maximum number of open streams per space. */
const maxStreams = 32;

/** The maximum number of bytes to buffer for a slow reader. Events that don't fit are dropped and counted. */
const maxBuffered = 2 ** 20;

/** The maximum size of a request in a stream, in bytes. Larger requests are streamed without their bodies. */
const maxRequestSize = 2 ** 16;

/** How often to check for state, clock, and fault changes, in milliseconds. */
const pollInterval = 250;

/** The heartbeat interval, in milliseconds. Heartbeats keep proxies from closing idle connections. */
const heartbeatInterval = 15_000;

/**
 * Streams a space's changes as server-sent events:
 *
 * - `ready` at the start
 * - `request` after each response
 * - `cleared` when the journal is cleared
 * - `state`, `clock`, and `faults` when they change
 *
 * @throws {@link AdminError} with status 429 if the space has too many streams
 */
export function eventStream(space: Space): Response {
  if (space.streams.size >= maxStreams) {
    throw new AdminError(429, `This space already has ${maxStreams} event streams.`);
  }
  let events: SpaceEvents;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        events = new SpaceEvents(space, controller);
      },
      cancel: () => events.stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBuffered }),
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

type Topic = 'state' | 'clock' | 'faults';

class SpaceEvents {
  readonly #space: Space;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #stopObserving: () => void;
  readonly #records: ReturnType<MockServer['watchRecords']>;
  #seen: Record<Topic, string>;
  #dropped = 0;

  constructor(space: Space, controller: ReadableStreamDefaultController<Uint8Array>) {
    this.#space = space;
    this.#controller = controller;
    const { mock, name } = space;
    this.#records = mock.watchRecords();
    this.#seen = this.#topics();
    this.#send('ready', {
      space: name,
      revision: mock.revision,
      requests: mock.requests.length,
      clock: viewClock(mock),
    });
    this.#stopObserving = mock.requests.observe({
      finished: (entry) => this.#sendRequest(entry),
      cleared: () => this.#send('cleared', {}),
    });
    this.#timers = [
      setInterval(() => this.#poll(), pollInterval),
      setInterval(() => this.#write(': heartbeat\n\n'), heartbeatInterval),
    ];
    for (const timer of this.#timers) timer.unref();
    space.streams.add(this);
  }

  stop(): void {
    this.#stopObserving();
    this.#records.stop();
    for (const timer of this.#timers) clearInterval(timer);
    this.#space.streams.delete(this);
  }

  end(): void {
    this.#controller.close();
    this.stop();
  }

  #sendRequest(entry: JournalEntry): void {
    const isComplete = entry.size <= maxRequestSize;
    const request = this.#space.mock.requests.read({
      ...entry,
      responseText: undefined,
      bodyText: isComplete ? entry.bodyText : undefined,
    });
    this.#send('request', isComplete ? request : { ...request, bodyOmitted: true });
  }

  /** Reports changes made through the API, the admin routes, or code in the server's process. */
  #poll(): void {
    const topics = this.#topics();
    const { mock } = this.#space;
    if (topics.state !== this.#seen.state) {
      // If `changed` is undefined, JSON omits it, and the client must assume that any record could have
      // changed.
      this.#send('state', { revision: mock.revision, changed: this.#records.take() });
    }
    if (topics.clock !== this.#seen.clock) this.#send('clock', viewClock(mock));
    if (topics.faults !== this.#seen.faults) {
      const rateLimit = mock.faults.currentRateLimit ?? null;
      this.#send('faults', { faults: mock.faults.handles().map(viewFault), rateLimit });
    }
    this.#seen = topics;
  }

  /** Returns the version of each topic, a string that changes whenever the topic does. */
  #topics(): Record<Topic, string> {
    const { mock } = this.#space;
    return {
      state: String(mock.revision),
      clock: JSON.stringify(mock.clock.capture()),
      faults: String(mock.faults.revision),
    };
  }

  #send(event: string, data: unknown): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #write(text: string): void {
    if ((this.#controller.desiredSize ?? 0) <= 0) {
      this.#dropped += 1;
      return;
    }
    const notice = this.#dropped > 0 ? `event: dropped\ndata: {"count":${this.#dropped}}\n\n` : '';
    this.#dropped = 0;
    this.#controller.enqueue(new TextEncoder().encode(notice + text));
  }
}
