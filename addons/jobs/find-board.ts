import type { CallOptions, Worktrack } from '../../src/index.js';

/**
 * Returns a function that finds a board's ID by its slug. It lists the project's boards on first use, and again
 * if a slug is missing from a list that is older than five seconds.
 */
export function boardFinder(client: Worktrack, project: string) {
  let boards: Promise<Map<string, string>> | undefined;
  let listedAt = 0;
  const listBoards = (options?: CallOptions) => {
    listedAt = performance.now();
    boards = readIds(client, project, options);
    boards.catch(() => {
      boards = undefined;
    });
    return boards;
  };
  return async (slug: string, options?: CallOptions): Promise<string> => {
    const id = (await (boards ?? listBoards(options))).get(slug);
    if (id !== undefined) return id;
    const later = performance.now() - listedAt > maxAge && (await listBoards(options)).get(slug);
    if (later) return later;
    throw new UnknownBoardError(slug);
  };
}

/** How long a list of boards counts as current, in milliseconds. */
const maxAge = 5000;

async function readIds(client: Worktrack, project: string, options?: CallOptions) {
  const boards = await client.boards.list(project, options);
  return new Map(boards.map(({ slug, id }) => [slug, id]));
}

/** Thrown if a board's slug is unknown. Like an API error, it has `fieldErrors`, so only the row fails. */
class UnknownBoardError extends Error {
  readonly fieldErrors: Record<string, string[]>;

  constructor(slug: string) {
    const problem = `the project has no board with the slug "${slug}"`;
    super(problem);
    this.fieldErrors = { board_slug: [problem] };
  }
}
