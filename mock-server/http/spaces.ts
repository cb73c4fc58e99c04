import { decodeSegment } from '../../src/wire/index.js';
import { checks } from '../options/read-options.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import type { MockServerOptions } from '../options/server-options.js';
import { AdminError, type AdminRoute, readObject } from './admin-routes.js';
import { Space } from './space.js';

/** Path under which each further space has its base path: `/spaces/worker-1/api/v1/…`. */
const prefix = '/spaces/';

/** What a world over HTTP can be told: where it answers is not its own choice. */
export type SpaceOptions = Omit<MockServerOptions, 'baseUrl' | 'unhandled'>;

const { baseUrl: _, unhandled: __, ...names } = checks;
export const spaceOptions: Record<keyof SpaceOptions, unknown> = names;

/** The worlds of one server: the one at its root, and any number beside it, made and dropped at run time. */
export class Spaces {
  readonly #url: string;
  readonly #defaults: MockServerOptions;
  readonly #root: Space;
  readonly #others = new Map<string, Space>();

  /** @param root the space at the server's root */
  constructor(url: string, defaults: MockServerOptions, root: Space) {
    this.#url = url;
    this.#defaults = defaults;
    this.#root = root;
  }

  /**
   * Makes a space, in the place of any other of that name.
   *
   * @param name letters, digits, `.`, `_` and `-`; up to 100
   */
  create(name: string, options: SpaceOptions = {}): Space {
    // From JSON it can be anything.
    if (typeof name !== 'string' || !/^\w[\w.-]{0,99}$/.test(name)) {
      throw new AdminError(
        422,
        `A space's name is letters, digits, ".", "_" and "-", not ${JSON.stringify(name)}.`,
      );
    }
    refuseUnknown('createSpace', options, spaceOptions);
    const baseUrl = `${this.#url}${prefix}${name}`;
    const space = new Space(name, { ...this.#defaults, ...options, baseUrl });
    this.#others.set(name, space);
    return space;
  }

  drop(name: string): boolean {
    return this.#others.delete(name);
  }

  names(): string[] {
    return [...this.#others.keys()];
  }

  /** The space that a path belongs to, and the path below its base path; undefined for a space that is not there. */
  find(path: string): { space: Space; rest: string } | undefined {
    if (!path.startsWith(prefix)) return { space: this.#root, rest: path };
    const end = path.indexOf('/', prefix.length);
    const name = decodeSegment(path.slice(prefix.length, end < 0 ? undefined : end));
    const space = name === undefined ? undefined : this.#others.get(name);
    return space && { space, rest: end < 0 ? '' : path.slice(end) };
  }
}

/** Admin routes of the whole server, beside those of its root space. */
export const spaceRoutes = (spaces: Spaces): Record<string, AdminRoute> => ({
  'GET /spaces': () => spaces.names(),
  'POST /spaces'({ body }) {
    const { name, ...options } = readObject(body);
    const { world, now, seed, ...rest } = options;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined)
      throw new AdminError(422, `${unknown} is not known; there are: name, world, now, seed.`);
    const space = spaces.create(
      name as string,
      {
        ...(world !== undefined && { world }),
        ...(now !== undefined && { now }),
        ...(seed !== undefined && { seed }),
      } as MockServerOptions,
    );
    return { name: space.name, ...space.mock.clientOptions() };
  },
  'DELETE /spaces/{name}'({ params: { name = '' } }) {
    if (!spaces.drop(name)) throw new AdminError(404, `There is no space ${JSON.stringify(name)}.`);
  },
});
