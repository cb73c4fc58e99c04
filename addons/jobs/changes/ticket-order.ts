import type { Ticket } from '../../../src/contract/index.js';
import { by, groupBy } from '../../shared/lists.js';
import type { BoardReorderedChange } from './change.js';
import type { CompareOptions, Delta } from './compare.js';
import { digest } from './records.js';
import type { SnapshotEntries, SnapshotEntry } from './snapshot.js';

/**
 * Compares the order of the tickets on each of a project's boards with the snapshot. Considers only tickets
 * that stayed on the board. Skips boards whose tickets moved during the read, and leaves these boards for the
 * next sweep.
 */
export function compareTicketOrder(
  projectId: string,
  tickets: readonly Ticket[],
  { known, observedAt, ignore }: CompareOptions & { known: SnapshotEntries },
): { deltas: Delta[]; quiet: SnapshotEntry[] } {
  const scope = `order:${projectId}`;
  const stored = known.of(scope);
  const deltas: Delta[] = [];
  const quiet: SnapshotEntry[] = [];
  for (const [boardId, after] of orderByBoard(tickets)) {
    const [revision, before] = JSON.parse(stored.get(boardId) ?? '[0, null]') as [number, string[] | null];
    const isReordered = before !== null && !isSameOrder(before, after);
    const value = JSON.stringify([isReordered ? revision + 1 : revision, after]);
    const entry = { scope, id: boardId, value };
    if (!isReordered) {
      if (value !== stored.get(boardId)) quiet.push(entry);
      continue;
    }
    const change: BoardReorderedChange = {
      id: digest(['board', boardId, 'reordered', revision, before, after]),
      type: 'board.reordered',
      recordId: boardId,
      projectId,
      observedAt,
      before,
      after,
      fields: [],
    };
    deltas.push({ change, entries: [entry], isIgnored: ignore(change) });
  }
  return { deltas, quiet };
}

/** Returns the IDs of each board's tickets in order, excluding boards whose positions have gaps. */
function orderByBoard(tickets: readonly Ticket[]): Map<string, string[]> {
  const orders = new Map<string, string[]>();
  for (const [boardId, onBoard] of groupBy(tickets, ({ board_id }) => board_id)) {
    onBoard.sort(by(({ position }) => position));
    if (onBoard.every(({ position }, index) => position === index)) {
      orders.set(
        boardId,
        onBoard.map(({ id }) => id),
      );
    }
  }
  return orders;
}

function isSameOrder(before: readonly string[], after: readonly string[]): boolean {
  const stayed = new Set(after);
  const known = new Set(before);
  const old = before.filter((id) => stayed.has(id));
  return after.filter((id) => known.has(id)).every((id, index) => id === old[index]);
}
