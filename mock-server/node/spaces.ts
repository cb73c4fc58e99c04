import * as z from 'zod/mini';
import { boolean, checkOptions } from '../../src/option-schema.js';
import { shorten } from '../../src/shared/quote.js';
import { decodeSegment, pathPrefix } from '../../src/wire/index.js';
import type { Fault } from '../faults/fault.js';
import { createMockServer, type MockServer } from '../mock-server.js';
import { optionFields } from '../options/read-options.js';
import type { MockServerOptions } from '../options/server-options.js';
import { InvalidInputError } from '../state/invalid-input-error.js';
import type { Snapshot } from '../state/state.js';
import { AdminError } from './admin/admin-error.js';

/** The path prefix of additional spaces, as in `/spaces/worker-1/api/v1/…`. */
const prefix = '/spaces/';

/** The maximum number of additional spaces per server. */
const maxSpaces = 1000;

/** A space's options. The base URL isn't an option because it depends on the space's name. */
export type SpaceOptions = Omit<MockServerOptions, 'baseUrl' | 'unhandled'>;

/** Options for a new space. */
export interface NewSpaceOptions extends SpaceOptions {
  /** Whether to replace an existing space with this name. @defaultValue false */
  replace?: boolean | undefined;
}

const { baseUrl: _, unhandled: __, ...ofSpaces } = optionFields;
export const spaceFields: Record<keyof SpaceOptions, z.core.$ZodType> = ofSpaces;

const newSpaceFields: Record<keyof NewSpaceOptions, z.core.$ZodType> = { ...spaceFields, replace: boolean() };
const schema = z.strictObject(newSpaceFields);

export interface SpacesOptions {
  /** The server's URL, without a trailing slash. */
  url: string;
  defaults: MockServerOptions;
  /** The space at the server's root. */
  root: Space;
  /** The maximum memory use of all journals together, in bytes. */
  journalBytes: number;
}

/** A server's spaces: the root space, and additional spaces that are created and deleted at runtime. */
export class Spaces {
  readonly #options: SpacesOptions;
  readonly #others = new Map<string, Space>();

  constructor(options: SpacesOptions) {
    this.#options = options;
  }

  /**
   * Creates a space.
   *
   * @param name 1 to 100 letters, digits, `_`, `.`, and `-`, not starting with `.` or `-`
   * @param view converts the new space's mock server to the result. If it throws, no space is created.
   * @throws {@link AdminError} with status 422 if the name is invalid, or 409 if it's taken or there are too
   * many spaces
   * @throws TypeError if an option is unknown or invalid
   */
  create<Result>(
    name: string,
    { replace, ...options }: NewSpaceOptions,
    view: (mock: MockServer) => Result,
  ): Result {
    // The name comes from JSON, so it may not be a string.
    if (typeof name !== 'string' || !/^\w[\w.-]{0,99}$/.test(name)) {
      throw new AdminError(
        422,
        `name must be 1 to 100 letters, digits, "_", ".", or "-", and must not start with "." or "-" (got ${shorten(String(JSON.stringify(name)), 120)})`,
      );
    }
    checkOptions(
      schema,
      { replace, ...options },
      { fail: (message) => new InvalidInputError(`createSpace: ${message}`) },
    );
    const isTaken = this.#others.has(name);
    if (isTaken && !replace) {
      throw new AdminError(
        409,
        `A space named "${name}" already exists. Delete it first, or set "replace" to true.`,
      );
    }
    if (!isTaken && this.#others.size >= maxSpaces) {
      throw new AdminError(409, `There are already ${maxSpaces} spaces. Delete the ones you no longer need.`);
    }
    const { url, defaults } = this.#options;
    // If the space has its own seed data, don't inherit the server's state, which would take precedence.
    const inherited = options.world === undefined ? defaults : { ...defaults, state: undefined };
    const mock = createMockServer({ ...inherited, ...options, baseUrl: `${url}${prefix}${name}` });
    const result = view(mock);
    this.delete(name);
    this.#others.set(name, new Space(name, mock));
    return result;
  }

  delete(name: string): boolean {
    this.#others.get(name)?.close();
    return this.#others.delete(name);
  }

  names(): string[] {
    return [...this.#others.keys()];
  }

  /**
   * Finds the space for a request. In requests to the root API, a header can select the space.
   *
   * @param path the path as requested
   * @returns the space, the full path, and the part after the space's base path. In the full path, the
   * space's name is decoded.
   */
  find(path: string, headers: Headers): { space: Space; path: string; rest: string } | undefined {
    const selected = path.startsWith(`${pathPrefix}/`) ? nameIn(headers) : undefined;
    if (selected !== undefined) return this.find(`${prefix}${encodeURIComponent(selected)}${path}`, headers);
    if (!path.startsWith(prefix)) return { space: this.#options.root, path, rest: path };
    const end = `${path}/`.indexOf('/', prefix.length);
    const name = decodeSegment(path.slice(prefix.length, end));
    const space = name === undefined ? undefined : this.#others.get(name);
    const rest = path.slice(end);
    return space && { space, path: `${prefix}${name}${rest}`, rest };
  }

  /** Keeps the combined size of all spaces' journals within the limit. Trims the largest journals first. */
  trimJournals(): void {
    if (this.#others.size === 0) return;
    const journals = [this.#options.root, ...this.#others.values()].map(({ mock }) => mock.requests);
    const total = () => journals.reduce((sum, journal) => sum + journal.bytes, 0);
    while (total() > this.#options.journalBytes) {
      const largest = journals.reduce((one, other) => (other.bytes > one.bytes ? other : one));
      largest.trim(largest.bytes / 2);
    }
  }

  /** Closes the event streams of all spaces. Open streams would keep the server from closing. */
  close(): void {
    for (const space of [this.#options.root, ...this.#others.values()]) space.close();
  }
}

/**
 * Returns the name of the space that a request's headers select: `x-worktrack-space: NAME`, or a
 * `worktrack-space=NAME` entry in the W3C `baggage` header. A server-rendered app can forward these headers.
 */
function nameIn(headers: Headers): string | undefined {
  const [, entry] = /(?:^|,)\s*worktrack-space\s*=\s*([^\s,;]+)/.exec(headers.get('baggage') ?? '') ?? [];
  return headers.get('x-worktrack-space') ?? (entry && decodeSegment(entry));
}

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

  constructor(name: string, mock: MockServer) {
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
