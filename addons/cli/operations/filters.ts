import type { OperationId } from '../../../src/contract/index.js';
import type { Lookup, Target } from '../../shared/lookup.js';
import { createTicketFilter } from '../../shared/ticket-filter.js';

/** A filter that the API doesn't support. The CLI applies it to each record that it reads. */
export interface Filter {
  name: keyof FilterOptions;
  text: string;
  /** For a filter that can be repeated, the kind of value it accepts. Otherwise undefined. */
  value?: 'member' | 'label';
  /** The description of the `--no-` option. */
  negated?: string;
}

const archived: Filter = {
  name: 'archived',
  text: 'Only archived records',
  negated: 'Only records that are not archived',
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
    { name: 'overdue', text: 'Only tickets that are past their due date and not done' },
    {
      name: 'done',
      text: 'Only tickets on a done board',
      negated: 'Only tickets that are not on a done board',
    },
    archived,
  ],
};

export const filtersOf = (id: OperationId): readonly Filter[] => filters[id] ?? [];

export interface FilterOptions {
  assignee?: string[];
  label?: string[];
  overdue?: boolean;
  done?: boolean;
  archived?: boolean;
}

/** Returns a function that checks whether a record matches the filters, or undefined if no filter is set. */
export async function createFilter(
  id: OperationId,
  options: FilterOptions,
  target: Target,
  lookup: Lookup,
): Promise<((record: object) => boolean) | undefined> {
  // In commands that change tickets, options with the same names have a different meaning.
  if (!filtersOf(id).some(({ name }) => options[name] !== undefined)) return undefined;
  const { assignee, label, overdue, done, archived } = options;
  const isOverdue = overdue && { dueBefore: Date.now(), done: false };
  const conditions = { assignee, label, done, archived, ...isOverdue };
  const filter = await createTicketFilter(conditions, target, lookup);
  // No ticket is both overdue and done.
  return overdue && done ? () => false : filter;
}
