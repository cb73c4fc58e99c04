import type { Ticket } from '../../src/contract/index.js';
import type { Lookup, Target } from './lookup.js';

/** Conditions for filters that the API doesn't support. */
export interface TicketConditions {
  /** The IDs or names of members. The ticket must be assigned to all of them. */
  assignee?: readonly string[] | undefined;
  /** The IDs or names of labels. The ticket must have all of them. */
  label?: readonly string[] | undefined;
  priority?: string | undefined;
  /** The ticket must be due before this time, in milliseconds since 1970. */
  dueBefore?: number | undefined;
  done?: boolean | undefined;
  archived?: boolean | undefined;
}

/**
 * Returns a function that checks whether a ticket matches all conditions.
 *
 * @param target the project whose tickets are listed. If it's omitted, only the `archived` condition can be
 * set, and the function accepts any record.
 * @throws LookupError if a name is unknown
 */
export async function createTicketFilter(
  { assignee, label, priority, dueBefore, done, archived }: TicketConditions,
  target: Target,
  lookup: Lookup,
): Promise<(record: object) => boolean> {
  const idsOf = (kind: 'member' | 'label', names: readonly string[] = []) =>
    Promise.all(names.map((name) => lookup.id(kind, name, target)));
  const [assigneeIds, labelIds] = [await idsOf('member', assignee), await idsOf('label', label)];
  const doneBoards =
    done !== undefined && target.project ? await doneBoardsOf(await target.project(), lookup) : new Set();
  return (record) => {
    // For records that aren't tickets, only the `archived` filter can be set.
    const ticket = record as Ticket;
    return (
      hasAll(ticket.assignees, assigneeIds) &&
      hasAll(ticket.labels, labelIds) &&
      (priority === undefined || ticket.priority === priority) &&
      (dueBefore === undefined || Date.parse(ticket.due_at ?? '') < dueBefore) &&
      (done === undefined || done === doneBoards.has(ticket.board_id)) &&
      (archived === undefined || archived === Boolean(ticket.archived_at))
    );
  };
}

const hasAll = (references: readonly { id: string }[] = [], ids: readonly string[]) =>
  ids.every((id) => references.some((reference) => reference.id === id));

async function doneBoardsOf(project: string, lookup: Lookup): Promise<ReadonlySet<string>> {
  const boards = await lookup.boards(project);
  return new Set(boards.records.filter(({ is_done }) => is_done).map(({ id }) => id));
}
