import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { listOf } from '../zod-internals.js';
import { boolean, number, type Schema, string } from './fields.js';

/** A project's figures over its live tickets. */
export interface Analytics {
  total: number;
  /** Tickets on a done board. */
  done: number;
  /** Tickets on any other board. */
  open: number;
  /** Tickets due strictly before now and not done. */
  overdue: number;
  /** 0 to 100, a whole number; 0 without tickets. */
  completion_percentage: number;
  /** Every live board, in board order. */
  by_board: BoardAnalytics[];
}

/** One board's line in {@link Analytics}. */
export interface BoardAnalytics {
  board_id: string;
  board_name: string;
  /** Live tickets on the board. */
  count: number;
  /** Whether it is a done board. */
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
