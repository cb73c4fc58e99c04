import { NotFoundError, PermissionDeniedError } from '../../src/index.js';
import { unlessMissing } from '../../src/internal.js';
import type { ReadChangesOptions } from './feed-options.js';
import type { Kind, RecordOf } from './watched-fields.js';

/** Records of one kind that are listed together, such as a project's tickets. */
export interface Source {
  kind: Kind;
  /** Null for the organization's projects and documents. */
  projectId: string | null;
  /**
   * Lists the records page by page.
   *
   * @param complete whether to return every record that exists throughout the read
   */
  pages(complete: boolean): AsyncIterable<{ data: readonly RecordOf[Kind][] }>;
  /**
   * Gets one record, or undefined if it's gone. Missing for kinds of records whose lists fit in a single
   * response.
   */
  get?: ((id: string) => Promise<RecordOf[Kind] | undefined>) | undefined;
}

type Connection = Pick<ReadChangesOptions, 'client' | 'signal'>;

/** Returns the sources for an organization's projects and documents. */
export function organizationSources({ client, signal }: Connection): Source[] {
  const options = { signal };
  return [
    {
      kind: 'project',
      projectId: null,
      pages: () => onePage(client.projects.list(options)),
      get: (id) => unlessInaccessible(client.projects.get(id, options)),
    },
    {
      kind: 'document',
      projectId: null,
      pages: (complete) => client.documents.list({ per_page: 200 }, options).pages({ complete }),
      get: (id) => unlessMissing(client.documents.get(id, options)),
    },
  ];
}

/** Returns the sources for a project and its records. */
export function projectSources({ client, signal }: Connection, projectId: string): Source[] {
  const options = { signal };
  return [
    {
      kind: 'project',
      projectId,
      pages: () => onePage(client.projects.get(projectId, options).then((project) => [project])),
    },
    { kind: 'board', projectId, pages: () => onePage(client.boards.list(projectId, options)) },
    { kind: 'label', projectId, pages: () => onePage(client.projects.labels.list(projectId, options)) },
    { kind: 'member', projectId, pages: () => onePage(client.projects.members.list(projectId, options)) },
    {
      kind: 'ticket',
      projectId,
      pages: (complete) => client.tickets.list(projectId, { per_page: 200 }, options).pages({ complete }),
      get: (id) => unlessMissing(client.tickets.get(id, options)),
    },
  ];
}

/**
 * Checks whether an error means that a project is inaccessible: a request for the project results in a 403 or
 * 404, and a request for the organization's projects succeeds. A wrong base URL and a missing scope also result
 * in such responses, but to both requests.
 */
export async function isInaccessible(
  { client, signal }: Connection,
  projectId: string,
  error: unknown,
): Promise<boolean> {
  if (!isDenied(error)) return false;
  if (await unlessInaccessible(client.projects.get(projectId, { signal }))) return false;
  try {
    await client.projects.list({ signal });
    return true;
  } catch (failure) {
    if (isDenied(failure)) return false;
    throw failure;
  }
}

const isDenied = (error: unknown): boolean =>
  error instanceof NotFoundError || error instanceof PermissionDeniedError;

async function unlessInaccessible<Value>(call: PromiseLike<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}

async function* onePage<Item>(list: PromiseLike<Item[]>): AsyncGenerator<{ data: Item[] }, void, undefined> {
  yield { data: await list };
}
