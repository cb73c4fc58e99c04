import type { Worktrack } from '../client.js';
import type { CreateTicket, Ticket } from '../contract/index.js';
import { NotFoundError } from '../errors/index.js';
import { compareTitles, sameContent, sameIds, searchTerm, titleGroup } from './match.js';
import type { RunImportOptions } from './options.js';
import type { ImportReport } from './report.js';
import { counted, findInPages, responds } from './requests.js';
import { runImport } from './run-import.js';
import type { ImportTarget, RequestContext } from './target.js';

/** Options for {@link ticketTarget}. */
export interface TicketTargetOptions<Row> {
  client: Worktrack;
  /** The project ID. */
  project: string;
  /** Converts a row to a ticket. If it throws, the row fails. */
  toTicket: (row: Row) => CreateTicket | Promise<CreateTicket>;
  /**
   * Returns whether a ticket was created from a row. Called only for in-doubt rows. By default, the payload
   * fields are compared. To identify tickets reliably, include the row's key in the description.
   */
  isMatch?: ((row: Row, ticket: Ticket) => boolean | Promise<boolean>) | undefined;
}

/** Options for {@link importTickets}. */
export interface ImportTicketsOptions<Row>
  extends TicketTargetOptions<Row>,
    Omit<RunImportOptions<Row>, 'target'> {}

/**
 * Imports rows as tickets. Each row becomes exactly one ticket, even if responses are lost or the process is
 * killed. Run the import again with the same ledger to continue.
 *
 * @throws ImportStoppedError if the import can't continue: the credential is rejected, the project doesn't
 * exist, the API is unavailable, the ledger can't be written to, or `rows` throws
 * @throws LedgerError if the ledger belongs to another import
 *
 * @example
 * ```ts
 * const ledger = await fileLedger('tickets.ledger');
 * const report = await importTickets({
 *   client, project, rows, ledger,
 *   key: (row) => row.id,
 *   toTicket: (row) => ({ board_slug: row.status, title: row.summary }),
 * });
 * console.log(report.created, report.failed, report.unknown);
 * await ledger.close();
 * ```
 */
export function importTickets<Row>(options: ImportTicketsOptions<Row>): Promise<ImportReport<Row>> {
  const { client, project, toTicket, isMatch, ...run } = options;
  const target = ticketTarget({ client, project, toTicket, isMatch });
  return runImport<Row>({ ...run, target });
}

/** Creates a ticket target for `runImport` and `createImportWorker`. */
export function ticketTarget<Row>({
  client,
  project,
  toTicket,
  isMatch,
}: TicketTargetOptions<Row>): ImportTarget<Row, CreateTicket, Ticket> {
  const boards = boardIds(client, project);
  return {
    scope: `tickets:${project}`,
    toPayload: toTicket,
    create: (ticket, context) =>
      counted(context, (options) => client.tickets.create(project, ticket, { ...options, retry: 0 })),
    isFatal: (error) => error instanceof NotFoundError,
    isAvailable: (context) => responds(context, (options) => client.projects.get(project, options)),
    lookup: {
      group: ({ title }) => titleGroup(title),
      async *find({ title, board_id, board_slug }, context) {
        const board = board_id ?? (await boards(board_slug, context));
        const query = { q: searchTerm(title), per_page: 200 };
        yield* findInPages(
          context,
          (range, options) => client.tickets.list(project, { ...query, ...range }, options),
          // A ticket can be moved at any time, so its board is only where to look first.
          (range, options) =>
            client.tickets.list(project, { ...query, ...range, ...(board && { board_id: board }) }, options),
        );
      },
      async match(sent, ticket, row) {
        if (isMatch) return (await isMatch(row, ticket)) ? 'exact' : 'no';
        if (ticket.creator?.type === 'user') return 'no';
        const title = compareTitles(sent.title, ticket.title);
        if (title === 'no' || title === 'maybe') return title;
        const board = sent.board_id ?? (await boards(sent.board_slug));
        return (board ?? ticket.board_id) === ticket.board_id && sameFields(sent, ticket) ? title : 'maybe';
      },
      isIdentity: isMatch !== undefined,
    },
  };
}

/** Compares all fields except the title and the board, which the caller compares. */
function sameFields(sent: CreateTicket, ticket: Ticket): boolean {
  const { title: _, board_id: __, board_slug: ___, assignee_ids, label_ids, ...content } = sent;
  return (
    sameContent(content, ticket) &&
    sameIds(assignee_ids, ticket.assignees) &&
    sameIds(label_ids, ticket.labels)
  );
}

/** Fetches the board IDs by slug once, on first use. If the credential can't read boards, they aren't compared. */
function boardIds(client: Worktrack, project: string) {
  let ids: Promise<Map<string, string>> | undefined;
  return async (slug: string | undefined, context?: RequestContext): Promise<string | undefined> => {
    if (slug === undefined) return undefined;
    const request = async () => {
      await context?.beforeRequest?.();
      const boards = client.boards.list(project, context && { signal: context.signal });
      return context ? counted(context, () => boards) : boards;
    };
    ids ??= request().then(
      (boards) => new Map(boards.map((board) => [board.slug, board.id])),
      (error) => {
        if (error.status === 403) return new Map();
        ids = undefined;
        throw error;
      },
    );
    return (await ids).get(slug);
  };
}
