import type { OperationId } from '../../src/contract/index.js';
import { isObject } from '../../src/wire/index.js';
import { defaultBoard } from '../state/boards.js';
import type { State } from '../state/state.js';
import type { PathRecords } from './rule.js';

/** Adds the defaults from the seed data's settings to a request body before validation. */
export function withDefaults(
  id: OperationId,
  state: State,
  records: Partial<PathRecords>,
  body: unknown,
): unknown {
  return defaults[id]?.(state, records, body) ?? body;
}

type Defaults = (state: State, records: Partial<PathRecords>, body: unknown) => unknown;

const defaults: { [Id in OperationId]?: Defaults } = {
  'tickets.create'(state, { project }, body) {
    if (!project || !isObject(body) || 'board_id' in body || 'board_slug' in body) return body;
    const board = defaultBoard(state, project);
    return board ? { ...body, board_id: board.id } : body;
  },
};
