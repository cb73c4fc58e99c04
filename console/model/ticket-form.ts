import type { Priority, Ticket, UpdateTicket } from 'worktrack';

/** The fields of a ticket, as edited in a form. */
export interface TicketForm {
  title: string;
  description_html: string;
  priority: Priority;
  /** Local date and time without a time zone, as in `<input type="datetime-local">`. */
  due: string;
  board_id: string;
  assignee_ids: string[];
  label_ids: string[];
}

export function toForm(ticket: Ticket | undefined, boardId: string): TicketForm {
  return {
    title: ticket?.title ?? '',
    description_html: ticket?.description_html ?? '',
    priority: ticket?.priority ?? 'normal',
    due: ticket?.due_at ? toLocal(new Date(ticket.due_at)) : '',
    board_id: boardId,
    assignee_ids: ticket?.assignees.map(({ id }) => id) ?? [],
    label_ids: ticket?.labels.map(({ id }) => id) ?? [],
  };
}

export function toFields({ board_id: _, due, description_html, ...rest }: TicketForm) {
  return {
    ...rest,
    description_html: description_html || null,
    due_at: due ? new Date(due).toISOString() : null,
    // A missing field is a compile error.
  } satisfies Record<keyof Omit<UpdateTicket, 'archived'>, unknown>;
}

/** Returns only the fields that differ, so that saving doesn't overwrite other users' changes. */
export function changedFields(before: TicketForm, after: TicketForm): UpdateTicket {
  const old: Record<string, unknown> = toFields(before);
  return Object.fromEntries(
    Object.entries(toFields(after)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
    ),
  );
}

function toLocal(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
