import * as z from 'zod/mini';
import {
  boolean,
  type Fields,
  ids,
  integer,
  nullableString,
  nullableText,
  number,
  optionalBoolean,
  optionalString,
  string,
  text,
} from './fields.js';
import { lazy } from './lazy.js';
import { limits } from './limits.js';
import { list, operation } from './operation.js';
import type { Schema } from './zod-internals.js';

/** A board: an ordered column of tickets, with an optional WIP limit. */
export interface Board {
  id: string;
  project_id: string;
  name: string;
  /** Unique among the project's live boards. Renaming the board doesn't change its slug. */
  slug: string;
  /** The board's zero-based index among the project's live boards. */
  position: number;
  color: string | null;
  /** The maximum number of live tickets on the board, or null for no limit. */
  wip_limit: number | null;
  /** Whether tickets on the board are considered done. */
  is_done: boolean;
  is_hidden: boolean;
  created_at: string;
  updated_at: string;
}

export interface CreateBoard {
  /** At most 120 characters. */
  name: string;
  /** At most 32 characters. */
  color?: string | null | undefined;
  /** A positive integer. Omit it or pass null for no limit. */
  wip_limit?: number | null | undefined;
  /** Whether tickets on the board are considered done. */
  is_done?: boolean | undefined;
}

export interface UpdateBoard {
  /** At most 120 characters. */
  name?: string | undefined;
  /** At most 32 characters; null removes the color. */
  color?: string | null | undefined;
  /** A positive integer; null removes the limit. */
  wip_limit?: number | null | undefined;
  /** Whether tickets on the board are considered done. */
  is_done?: boolean | undefined;
  /** Whether the board is hidden. Hiding a board doesn't affect lists, limits, or moves. */
  is_hidden?: boolean | undefined;
}

export interface ReorderBoards {
  /** The IDs of all live boards in the project, in the new order. Each ID must appear exactly once. */
  board_ids: string[];
}

export interface DeleteBoard {
  /** The ID of the board to move the tickets to. Required if the board has tickets. */
  move_to_board_id?: string | undefined;
}

export const board = lazy<Schema<Board>>(() =>
  z.looseObject({
    id: string(),
    project_id: string(),
    name: string(),
    slug: string(),
    position: number(),
    color: nullableString(),
    wip_limit: z.nullable(number()),
    is_done: boolean(),
    is_hidden: boolean(),
    created_at: string(),
    updated_at: string(),
  }),
);

const name = lazy(() => text(limits.board.name));

const boardFields = lazy(() => ({
  color: z.optional(nullableText(limits.board.color)),
  wip_limit: z.optional(z.nullable(integer(1))),
  is_done: optionalBoolean(),
}));

export const createBoard = lazy<Schema<CreateBoard>>(() =>
  z.strictObject({
    name: name(),
    ...boardFields(),
  } satisfies Fields<CreateBoard>),
);

export const updateBoard = lazy<Schema<UpdateBoard>>(() =>
  z.strictObject({
    name: z.optional(name()),
    ...boardFields(),
    is_hidden: optionalBoolean(),
  } satisfies Fields<UpdateBoard>),
);

export const reorderBoards = lazy<Schema<ReorderBoards>>(() =>
  z.strictObject({
    board_ids: ids(),
  } satisfies Fields<ReorderBoards>),
);

export const deleteBoard = lazy<Schema<DeleteBoard>>(() =>
  z.strictObject({
    move_to_board_id: optionalString(),
  } satisfies Fields<DeleteBoard>),
);

export const boardOperations = /* @__PURE__ */ (() => ({
  'boards.list': operation({
    summary: "List a project's boards, in order",
    number: 9,
    method: 'GET',
    path: '/projects/{project}/boards',
    scope: 'boards:read',
    status: 200,
    response: list(board),
  }),
  'boards.create': operation({
    summary: 'Create a board at the end of a project',
    number: 10,
    method: 'POST',
    path: '/projects/{project}/boards',
    scope: 'boards:write',
    status: 201,
    body: createBoard,
    response: board,
  }),
  'boards.reorder': operation({
    summary: "Reorder a project's boards",
    number: 11,
    method: 'PUT',
    path: '/projects/{project}/boards/reorder',
    scope: 'boards:write',
    status: 200,
    body: reorderBoards,
    response: list(board),
    errorCodes: ['invalid_board_list'],
  }),
  'boards.update': operation({
    summary: 'Update a board',
    number: 12,
    method: 'PATCH',
    path: '/boards/{board}',
    scope: 'boards:write',
    status: 200,
    body: updateBoard,
    response: board,
  }),
  'boards.delete': operation({
    summary: 'Delete a board (soft delete) and move its tickets to another board',
    number: 13,
    method: 'DELETE',
    path: '/boards/{board}',
    scope: 'boards:write',
    status: 204,
    body: deleteBoard,
    errorCodes: ['target_board_required', 'invalid_target_board', 'wip_limit_reached'],
  }),
}))();
