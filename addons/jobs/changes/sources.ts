import { NotFoundError } from '../../../src/errors/index.js';
import type { ReadChangesOptions } from './options.js';
import type { Kind, RecordOf } from './records.js';

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
  /** Gets one record. Undefined for kinds of records whose lists fit in a single response. */
  get?: ((id: string) => Promise<RecordOf[Kind]>) | undefined;
}

/** Returns the string that identifies a source in the snapshot. */
export const scopeOf = ({ kind, projectId }: Pick<Source, 'kind' | 'projectId'>): string =>
  projectId === null ? kind : `${kind}:${projectId}`;

/** Returns a feed's sources in the order they're read. */
export function sourcesOf({ client, project, include, signal }: ReadChangesOptions): Source[] {
  const options = { signal };
  const query = { per_page: 200 };
  const organizationSources: Source[] = [
    {
      kind: 'project',
      projectId: null,
      pages: () => onePage(client.projects.list(options)),
      get: (id) => client.projects.get(id, options),
    },
    {
      kind: 'document',
      projectId: null,
      pages: (complete) => client.documents.list(query, options).pages({ complete }),
      get: (id) => client.documents.get(id, options),
    },
  ];
  const projectSources = (id: string): Source[] => [
    {
      kind: 'project',
      projectId: id,
      pages: () => onePage(client.projects.get(id, options).then((found) => [found])),
    },
    { kind: 'board', projectId: id, pages: () => onePage(client.boards.list(id, options)) },
    { kind: 'label', projectId: id, pages: () => onePage(client.projects.labels.list(id, options)) },
    { kind: 'member', projectId: id, pages: () => onePage(client.projects.members.list(id, options)) },
    {
      kind: 'ticket',
      projectId: id,
      pages: (complete) => client.tickets.list(id, query, options).pages({ complete }),
      get: (ticket) => client.tickets.get(ticket, options),
    },
  ];
  if (project === undefined) {
    return organizationSources.filter(({ kind }) => include?.includes(kind) ?? true);
  }
  // The list of projects isn't watched in this case, because each selected project has its own source.
  const documents = organizationSources.filter(({ kind }) => kind === 'document' && include?.includes(kind));
  const inProjects = [...new Set([project].flat())].flatMap(projectSources);
  return [...inProjects.filter(({ kind }) => include?.includes(kind) ?? true), ...documents];
}

/**
 * If a request for a project returns a 404, checks whether the project was deleted. A wrong base path also
 * results in a 404, so the function checks the organization's project list.
 *
 * @throws the original error if the project still exists
 */
export async function confirmDeleted(
  { client, signal }: Pick<ReadChangesOptions, 'client' | 'signal'>,
  projectId: string,
  error: unknown,
): Promise<void> {
  if (!(error instanceof NotFoundError)) throw error;
  const projects = await client.projects.list({ signal });
  if (projects.some(({ id }) => id === projectId)) throw error;
}

async function* onePage<Item>(list: PromiseLike<Item[]>): AsyncGenerator<{ data: Item[] }, void, undefined> {
  yield { data: await list };
}
