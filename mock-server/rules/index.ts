import { type ErrorCode, errorCodes, type OperationId } from '../../src/contract/index.js';
import { isObject } from '../../src/shared/json.js';
import { defaultBoard } from '../state/boards.js';
import type { State } from '../state/state.js';
import { boardRules } from './boards.js';
import { documentRules } from './documents.js';
import { notificationRules, organizationRules } from './organization.js';
import { projectRules } from './projects.js';
import type { PathRecords, Rules } from './rule.js';
import { ticketRules } from './tickets.js';

/** The API's behavior: one function per operation. Omitting an operation is a compile error. */
export const rules: Rules = {
  ...organizationRules,
  ...projectRules,
  ...boardRules,
  ...ticketRules,
  ...documentRules,
  ...notificationRules,
};

/**
 * How the server handles valid requests and rejects invalid ones. Each emulated deployment has its own
 * behavior.
 */
export interface Behavior {
  rules: Rules;
  /** The HTTP status of each error code. */
  statuses: Readonly<Record<ErrorCode, number>>;
  /** How unknown fields in a request body are handled. */
  unknownFields: 'ignored' | 'rejected';
}

export const defaultBehavior: Behavior = { rules, statuses: errorCodes, unknownFields: 'ignored' };

export { RejectedRequest } from './rejected-request.js';

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
