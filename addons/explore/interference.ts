import type { MockServer } from '../../mock-server/index.js';
import { type Document, type Ticket, type UpdateTicket, Worktrack, WorktrackError } from '../../src/index.js';

/**
 * A change that another user makes right after a request, before the workflow gets the response:
 * - `record_deleted`, `record_moved`, `record_edited`, `record_archived`: changes the ticket or document that
 *   the request created, read, or changed, or the first item that it listed
 * - `board_filled`: sets the WIP limit of the ticket's board to the number of tickets on that board
 * - `project_archived`: archives the ticket's project
 */
export type InterferenceKind = (typeof interferenceKinds)[number];

export const interferenceKinds = [
  'record_deleted',
  'record_moved',
  'record_edited',
  'record_archived',
  'board_filled',
  'project_archived',
] as const;

/** A change by another user. Checks use it to distinguish this change from the workflow's changes. */
export interface Interference {
  kind: InterferenceKind;
  /** The ID of the changed ticket, document, board, or project. */
  recordId: string;
  /** The record after the change, or undefined if it was deleted. */
  record: Readonly<Record<string, unknown>> | undefined;
  /** The changed fields. */
  changed: readonly string[];
}

/** The record that a request just created, read, or changed. */
export type TouchedRecord = { ticket: Ticket } | { document: Document };

/** Marks requests that come from the other user. These requests never fail. */
export const interferenceHeader = 'x-worktrack-interference';

/** Returns the kinds of interference that apply to a record. */
export const interferencesWith = (touched: TouchedRecord): readonly InterferenceKind[] =>
  'ticket' in touched ? interferenceKinds : ['record_deleted', 'record_edited', 'record_archived'];

/**
 * Changes a record through the API as another user. The API's rules apply.
 *
 * @returns the change, or undefined if the API rejected it
 */
export async function interfere(
  mock: MockServer,
  kind: InterferenceKind,
  touched: TouchedRecord,
): Promise<Interference | undefined> {
  const { token } = mock.credentials.add({ ...organizationOf(mock), name: 'Another user' });
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    request.headers.set(interferenceHeader, kind);
    return mock.fetch(request);
  };
  const people = new Worktrack({ ...mock.clientOptions({ token }), fetch, retry: 0 });
  try {
    return await change(people, kind, touched, mock);
  } catch (error) {
    if (error instanceof WorktrackError) return undefined;
    throw error;
  } finally {
    mock.credentials.revoke(token);
  }
}

const organizationOf = (mock: MockServer) => {
  const { organization } = mock.clientOptions();
  return organization === undefined ? {} : { organization };
};

async function change(
  { tickets, documents, boards, projects }: Worktrack,
  kind: InterferenceKind,
  touched: TouchedRecord,
  { state }: MockServer,
): Promise<Interference | undefined> {
  const changed = (recordId: string, record: object | undefined, ...fields: string[]): Interference => ({
    kind,
    recordId,
    record: record as Interference['record'],
    changed: fields,
  });
  const isTicket = 'ticket' in touched;
  const resource: Pick<typeof tickets, 'delete'> & {
    update(id: string, fields: Pick<UpdateTicket, 'title' | 'archived'>): PromiseLike<object>;
  } = isTicket ? tickets : documents;
  const { id, title } = isTicket ? touched.ticket : touched.document;
  if (kind === 'record_deleted') {
    await resource.delete(id);
    return changed(id, undefined);
  }
  if (kind === 'record_edited') {
    return changed(id, await resource.update(id, { title: `${title} (edited)` }), 'title');
  }
  if (kind === 'record_archived') {
    return changed(id, await resource.update(id, { archived: true }), 'archived_at');
  }
  if (!isTicket) return undefined;
  const { board_id, project_id } = touched.ticket;
  switch (kind) {
    case 'record_moved': {
      const [other] = state.boards.filter(
        (board) => board.project_id === project_id && board.id !== board_id,
      );
      return other && changed(id, await tickets.move(id, { board_id: other.id }), 'board_id');
    }
    case 'board_filled': {
      const { length } = state.tickets.filter((ticket) => ticket.board_id === board_id);
      return changed(board_id, await boards.update(board_id, { wip_limit: length }), 'wip_limit');
    }
    case 'project_archived':
      return changed(project_id, await projects.update(project_id, { archived: true }), 'archived_at');
  }
}
