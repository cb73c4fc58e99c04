import { createMockServer, type MockServer } from '../mock-server.js';
import type { MockServerOptions } from '../options.js';
import type { Snapshot } from '../state/state.js';

/** A world of its own under a base path of its own, with what its admin routes have handed out. */
export class Space {
  readonly name: string;
  readonly mock: MockServer;
  /** Snapshots and faults by the ids under which other processes know them. */
  readonly snapshots = new Map<string, Snapshot>();
  readonly faults = new Map<string, { remove(): void }>();
  #handles = 0;

  constructor(name: string, options: MockServerOptions, mock: MockServer = createMockServer(options)) {
    this.name = name;
    this.mock = mock;
  }

  nextHandle(kind: string): string {
    this.#handles += 1;
    return `${kind}_${this.#handles}`;
  }

  reset(): void {
    this.mock.reset();
    this.faults.clear();
  }
}
