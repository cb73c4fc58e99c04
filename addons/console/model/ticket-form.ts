import type { Ticket, UpdateTicket } from 'worktrack';
import { priorities, ticketDefaults } from 'worktrack/contract';

type ContentField = keyof typeof ticketDefaults;

interface ContentInput {
  label: string;
  type: 'textarea' | 'select' | 'datetime-local';
  choices?: readonly string[];
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The inputs for the optional fields that don't refer to other records. A missing field is a compile error. */
export const contentInputs: Record<ContentField, ContentInput> = {
  description_html: { label: 'Description (HTML)', type: 'textarea' },
  priority: { label: 'Priority', type: 'select', choices: priorities },
  due_at: { label: `Due (${timeZone})`, type: 'datetime-local' },
};

/** The fields of a ticket, as edited in a form. */
export interface TicketForm {
  title: string;
  board_id: string;
  assignee_ids: string[];
  label_ids: string[];
  /** The values of `contentInputs`. Unset fields are empty. */
  content: Record<ContentField, string>;
}

export function toForm(ticket: Ticket | undefined, boardId: string): TicketForm {
  return {
    title: ticket?.title ?? '',
    board_id: boardId,
    assignee_ids: ticket?.assignees.map(({ id }) => id) ?? [],
    label_ids: ticket?.labels.map(({ id }) => id) ?? [],
    content: mapContent((name, { type }) => {
      const value = (ticket ?? ticketDefaults)[name] ?? '';
      return type === 'datetime-local' && value ? toLocal(new Date(value)) : value;
    }),
  };
}

export function toFields({ board_id: _, content, ...rest }: TicketForm) {
  return {
    ...(rest satisfies Record<Exclude<keyof UpdateTicket, 'archived' | ContentField>, unknown>),
    ...mapContent((name, { type }) => {
      const value = content[name];
      if (value === '') return null;
      return type === 'datetime-local' ? new Date(value).toISOString() : value;
    }),
  } as typeof rest & typeof ticketDefaults;
}

/** Returns only the fields that differ, so that saving doesn't overwrite other users' changes. */
export function changedFields(before: TicketForm, after: TicketForm): UpdateTicket {
  const old: Record<string, unknown> = { ...toFields(before) };
  return Object.fromEntries(
    Object.entries(toFields(after)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
    ),
  );
}

const mapContent = <Value>(toValue: (name: ContentField, input: ContentInput) => Value) =>
  Object.fromEntries(
    Object.entries(contentInputs).map(([name, input]) => [name, toValue(name as ContentField, input)]),
  ) as Record<ContentField, Value>;

/** Returns the local date and time without a time zone, as in `<input type="datetime-local">`. */
function toLocal(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
