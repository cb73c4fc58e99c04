import type { Worktrack } from '../../../src/client.js';
import { stopwatch } from '../shared/stopwatch.js';
import { send } from './requests.js';
import type { RequestContext } from './target.js';

/**
 * Returns a function that looks up a board's ID by its slug. It fetches the boards on first use, and again if
 * a board is missing. If the credential can't read boards, tickets are compared without their boards.
 */
export function boardIds(client: Worktrack, project: string) {
  let known: { ids: Promise<Map<string, string> | undefined>; age: () => number } | undefined;
  const fetchIds = async (context?: RequestContext): Promise<Map<string, string> | undefined> => {
    const list = (options?: { signal: AbortSignal }) => client.boards.list(project, options);
    try {
      const boards = await (context ? send(context, list) : list());
      return new Map(boards.map((board) => [board.slug, board.id]));
    } catch (error) {
      if ((error as { status?: number }).status === 403) return undefined;
      known = undefined;
      throw error;
    }
  };
  const read = (context?: RequestContext) => {
    known ??= { ids: fetchIds(context), age: stopwatch() };
    return known.ids;
  };
  /** @throws UnknownBoardError if the project has no board with the slug */
  return async (slug: string, context?: RequestContext): Promise<string | undefined> => {
    let ids = await read(context);
    if (ids && !ids.has(slug) && known && known.age() > boardsMaxAge) {
      known = undefined;
      ids = await read(context);
    }
    if (ids && !ids.has(slug)) throw new UnknownBoardError(slug);
    return ids?.get(slug);
  };
}

/**
 * How long a list of boards counts as current, in milliseconds. If a board isn't in a current list, it
 * doesn't exist.
 */
const boardsMaxAge = 5000;

/** Thrown if a board's slug is unknown. Like an API error, it has `fieldErrors`. */
class UnknownBoardError extends Error {
  readonly fieldErrors: Record<string, string[]>;

  constructor(slug: string) {
    const problem = `the project has no board with the slug "${slug}"`;
    super(problem);
    this.fieldErrors = { board_slug: [problem] };
  }
}

export function ignoreUnknownBoard(error: unknown): undefined {
  if (!(error instanceof UnknownBoardError)) throw error;
}
