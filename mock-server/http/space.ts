import type { Fault } from '../faults/fault.js';
import type { FaultHandle } from '../faults/faults.js';
import { createMockServer, type MockServer } from '../mock-server.js';
import type { MockServerOptions } from '../options/server-options.js';
import type { Snapshot } from '../state/state.js';

/** A world of its own under a base path of its own, with what its admin routes have handed out. */
export class Space {
  readonly name: string;
  readonly mock: MockServer;
  /** Snapshots and faults by the ids under which other processes know them. */
  readonly snapshots = new Map<string, Snapshot>();
  readonly faults = new Map<string, FaultHandle>();
  #handles = 0;

  constructor(name: string, options: MockServerOptions, mock: MockServer = createMockServer(options)) {
    this.name = name;
    this.mock = mock;
  }

  nextHandle(kind: string): string {
    this.#handles += 1;
    return `${kind}_${this.#handles}`;
  }

  addFault(fault: Fault): string {
    const handle = this.mock.faults.add(fault);
    // A server that breaks one request after the other for days must not keep them all.
    for (const [id, { spent }] of this.faults) if (spent) this.faults.delete(id);
    const id = this.nextHandle('fault');
    this.faults.set(id, handle);
    return id;
  }

  /** @returns false for a fault that is not there, or no longer: removed, or spent */
  removeFault(id: string): boolean {
    const handle = this.faults.get(id);
    if (!handle || handle.spent) return false;
    handle.remove();
    return this.faults.delete(id);
  }

  reset(): void {
    this.mock.reset();
    this.faults.clear();
  }
}
