import { type ErrorCode, errorCodes } from '../../src/contract/index.js';
import { rules } from './index.js';
import type { Rules } from './rule.js';

/**
 * How the server handles valid requests and rejects invalid ones. Each imitated deployment has its own
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
