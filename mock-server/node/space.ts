import type { Fault } from '../faults/fault.js';
import { createMockServer, type MockServer } from '../mock-server.js';
import type { MockServerOptions } from '../options/server-options.js';
import type { Snapshot } from '../state/state.js';
import { AdminError } from './admin/admin-error.js';

/** The maximum number of snapshots per space, which is also the maximum number of faults. */
const maxHandles = 1000;

/** A mock server with its own base path, snapshots, and event streams. */
export class Space {
  readonly name: string;
  readonly mock: MockServer;
  readonly snapshots = new Map<string, Snapshot>();
  /** The open event streams. */
  readonly streams = new Set<{ end(): void }>();
  #snapshotCount = 0;

  constructor(name: string, options: MockServerOptions, mock: MockServer = createMockServer(options)) {
    this.name = name;
    this.mock = mock;
  }

  /** @throws {@link AdminError} with status 409 if there are too many snapshots */
  addSnapshot(): string {
    requireRoom(this.snapshots.size, 'snapshots');
    this.#snapshotCount += 1;
    const id = `snapshot_${this.#snapshotCount}`;
    this.snapshots.set(id, this.mock.snapshot());
    return id;
  }

  /**
   * @throws {@link AdminError} with status 409 if there are too many faults
   * @throws TypeError if the fault is invalid
   */
  addFault(fault: Fault): string {
    requireRoom(this.mock.faults.handles().length, 'faults');
    return this.mock.faults.add(fault).id;
  }

  /** Closes the event streams. */
  close(): void {
    for (const stream of [...this.streams]) stream.end();
  }
}

function requireRoom(count: number, kind: string): void {
  if (count >= maxHandles) {
    throw new AdminError(409, `There are already ${maxHandles} ${kind}. Delete the ones you no longer need.`);
  }
}
