import type { SqliteFile } from '../../src/shared/sqlite.js';
import { requireDump } from '../state/dump-schema.js';
import { rowLists, type StateChanges } from '../state/state-changes.js';
import type { StateDump } from '../state/state-dump.js';

/** A state as rows: one per record, and one each for the clock, the counters, and the settings. */
export const stateFormat = {
  name: 'a state file of the mock server',
  applicationId: 0x5774_4d6b,
  schema: [
    'CREATE TABLE state (list TEXT, key TEXT, row TEXT, board TEXT, rank REAL, PRIMARY KEY (list, key))',
    'CREATE INDEX ranks ON state (board, rank)',
  ],
  fail: (message: string, cause?: unknown) => new Error(message, { cause }),
};

/** The fields that identify records without an ID. */
const keyFields: Record<string, string> = { credentials: 'token', documentTags: 'key' };

/** Reads the state. Returns undefined if the file is new. */
export function readState(file: SqliteFile): StateDump | undefined {
  // The rank sorts the live tickets on a board. The other records are in the order in which they were added.
  const query = 'SELECT list, key, row FROM state ORDER BY rank IS NULL, rank, rowid';
  const rows = file.read(() => file.database.prepare(query).all()) as Record<
    'list' | 'key' | 'row',
    string
  >[];
  if (rows.length === 0) return undefined;
  try {
    const state: Record<string, unknown> = Object.fromEntries(rowLists.map((list) => [list, []]));
    for (const { list, key, row } of rows) {
      if (list === '') state[key] = JSON.parse(row);
      else (state[list] as unknown[]).push(JSON.parse(row));
    }
    requireDump(state);
    return state;
  } catch (error) {
    throw file.damaged((error as Error).message.replaceAll(/\s+/g, ' '));
  }
}

/** Returns functions that write the state, or changes to it, in the current transaction. */
export function stateWriter({ database }: SqliteFile) {
  const putRow = database.prepare(
    `INSERT INTO state VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET row = excluded.row, board = excluded.board, rank = excluded.rank`,
  );
  const ranksAt = database.prepare('SELECT rank FROM state WHERE board = ? ORDER BY rank LIMIT 2 OFFSET ?');
  const renumber = database.prepare(
    `UPDATE state SET rank = place
    FROM (SELECT key AS id, row_number() OVER (ORDER BY rank) AS place FROM state WHERE board = ?)
    WHERE list = 'tickets' AND key = id`,
  );

  function put(list: string, row: object, board: string | null = null, rank: number | null = null): void {
    const name = (row as Record<string, unknown>)[keyFields[list] ?? 'id'];
    putRow.run(list, String(name), JSON.stringify(row), board, rank);
  }

  function putParts(parts: Partial<StateChanges>): void {
    for (const [name, part] of Object.entries(parts)) {
      if (Array.isArray(part)) for (const row of part) put(name, row);
      else if (part !== undefined) putRow.run('', name, JSON.stringify(part), null, null);
    }
  }

  /** Returns the rank for a ticket that is inserted at a position on a board. */
  function rankAt(board: string, position: number): number {
    const ranks = ranksAt.all(board, Math.max(0, position - 1)).map(({ rank }) => Number(rank));
    const [before = 0, after = before + 2] = position === 0 ? [(ranks[0] ?? 0) - 2, ranks[0]] : ranks;
    const rank = (before + after) / 2;
    if (before < rank && rank < after) return rank;
    // The numbers between two neighbors are used up.
    renumber.run(board);
    return rankAt(board, position);
  }

  return {
    writeState({ tickets, ...state }: StateDump): void {
      database.exec('DELETE FROM state');
      putParts(state as Partial<StateChanges>);
      for (const [index, ticket] of tickets.entries()) {
        if (ticket.deleted_at === null) put('tickets', ticket, ticket.board_id, index);
        else put('tickets', ticket);
      }
    },
    writeChanges({ tickets = [], ...changes }: StateChanges): void {
      putParts(changes);
      // First take the changed tickets off their boards. The others keep their order, so each changed ticket can
      // then be inserted at its position, starting with the lowest.
      const changed = tickets.map(({ position, ...ticket }) => ({ position: position ?? -1, ticket }));
      for (const { ticket } of changed) put('tickets', ticket);
      for (const { position, ticket } of changed.toSorted((a, b) => a.position - b.position)) {
        if (position >= 0) put('tickets', ticket, ticket.board_id, rankAt(ticket.board_id, position));
      }
    },
  };
}
