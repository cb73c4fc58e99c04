import type { OperationId } from '../../src/contract/index.js';
import type { Ticket } from '../../src/index.js';
import type { Lookup, Target } from '../../src/lookup.js';

/** A filter that the API lacks. The CLI applies it to each record that it reads. */
export interface Filter {
  name: keyof FilterOptions;
  text: string;
  /** The kind of value, for a filter that can be repeated. */
  value?: 'member' | 'label';
  /** The description of the `--no-` option. */
  negated?: string;
}

const archived: Filter = {
  name: 'archived',
  text: 'Only archived records',
  negated: 'No archived records',
};

const filters: Partial<Record<OperationId, readonly Filter[]>> = {
  'projects.list': [archived],
  'documents.list': [archived],
  'tickets.list': [
    {
      name: 'assignee',
      text: 'Only tickets assigned to this member: name, email address, or ID',
      value: 'member',
    },
    { name: 'label', text: 'Only tickets with this label: name or ID', value: 'label' },
    { name: 'overdue', text: 'Only tickets whose due date has passed and that are not done' },
    {
      name: 'done',
      text: 'Only tickets on a done board',
      negated: 'Only tickets that are not on a done board',
    },
    archived,
  ],
};

export const filtersOf = (id: OperationId): readonly Filter[] => filters[id] ?? [];

/** The parsed options of the filters. */
export interface FilterOptions {
  assignee?: string[];
  label?: string[];
  overdue?: boolean;
  done?: boolean;
  archived?: boolean;
}

/** Returns a function that tells whether a record matches the filters, or undefined if none is set. */
export async function createFilter(
  id: OperationId,
  options: FilterOptions,
  target: Target,
  lookup: Lookup,
): Promise<((record: object) => boolean) | undefined> {
  // Commands that change tickets have options of the same names.
  if (!filtersOf(id).some(({ name }) => options[name] !== undefined)) return undefined;
  const { assignee, label, overdue, done, archived } = options;
  const idsOf = (kind: 'member' | 'label', names: readonly string[] = []) =>
    Promise.all(names.map((name) => lookup.id(kind, name, target)));
  const [assigneeIds, labelIds] = [await idsOf('member', assignee), await idsOf('label', label)];
  const needsBoards = overdue !== undefined || done !== undefined;
  const doneBoards =
    needsBoards && target.project ? await doneBoardsOf(await target.project(), lookup) : new Set();
  const now = Date.now();
  return (record) => {
    // The other lists have only the filter for archived records.
    const ticket = record as Ticket;
    const isDone = doneBoards.has(ticket.board_id);
    return (
      hasAll(ticket.assignees, assigneeIds) &&
      hasAll(ticket.labels, labelIds) &&
      (!overdue || (!isDone && Date.parse(ticket.due_at ?? '') < now)) &&
      (done === undefined || done === isDone) &&
      (archived === undefined || archived === (ticket.archived_at !== null))
    );
  };
}

const hasAll = (references: readonly { id: string }[] = [], ids: readonly string[]) =>
  ids.every((id) => references.some((reference) => reference.id === id));

async function doneBoardsOf(project: string, lookup: Lookup): Promise<ReadonlySet<string>> {
  const boards = await lookup.boards(project);
  return new Set(boards.records.filter(({ is_done }) => is_done).map(({ id }) => id));
}
