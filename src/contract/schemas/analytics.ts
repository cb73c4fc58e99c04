import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { listOf } from '../zod-internals.js';
import { boolean, number, type Schema, string } from './fields.js';

/** Statistics about a project's live tickets. */
export interface Analytics {
  total: number;
  /** The number of tickets on done boards. */
  done: number;
  /** The number of tickets on other boards. */
  open: number;
  /** The number of open tickets past their due date. */
  overdue: number;
  /** The percentage of tickets that are done, as an integer from 0 to 100 (0 for an empty project). */
  completion_percentage: number;
  /** The ticket count for each live board, in board order. */
  by_board: BoardAnalytics[];
}

/** A board's ticket count in {@link Analytics}. */
export interface BoardAnalytics {
  board_id: string;
  board_name: string;
  /** The number of live tickets on the board. */
  count: number;
  /** Whether tickets on the board are considered done. */
  done: boolean;
}

export const analytics = lazy<Schema<Analytics>>(() =>
  z.looseObject({
    total: number(),
    done: number(),
    open: number(),
    overdue: number(),
    completion_percentage: number(),
    by_board: listOf(
      z.looseObject({ board_id: string(), board_name: string(), count: number(), done: boolean() }),
    ),
  }),
);
