import type { BoardRow, DocumentRow, ProjectRow, TicketRow } from './rows.js';
import type { State } from './state.js';

/** Finds live records by ID. A record isn't live if it, its board, or its project has been deleted. */
export const findLive = {
  project: (state: State, id: string): ProjectRow | undefined => live(state.projects.get(id)),
  board(state: State, id: string): BoardRow | undefined {
    const row = live(state.boards.get(id));
    return row && findLive.project(state, row.project_id) && row;
  },
  ticket(state: State, id: string): TicketRow | undefined {
    const row = live(state.tickets.get(id));
    return row && findLive.board(state, row.board_id) && row;
  },
  document: (state: State, id: string): DocumentRow | undefined => live(state.documents.get(id)),
};

/** Returns the project that a board or ticket belongs to, even if the project has been deleted. */
export const projectOf = (state: State, { project_id }: { project_id: string }): ProjectRow =>
  state.projects.get(project_id) as ProjectRow;

const live = <Row extends { deleted_at: string | null }>(row: Row | undefined): Row | undefined =>
  row?.deleted_at === null ? row : undefined;
