import { list, operation } from '../operation.js';
import {
  boardSchema,
  createBoardSchema,
  deleteBoardSchema,
  reorderBoardsSchema,
  updateBoardSchema,
} from '../schemas/board.js';

export const boardOperations = /* @__PURE__ */ (() => ({
  'boards.list': operation({
    number: 9,
    method: 'GET',
    path: '/projects/{project}/boards',
    scope: 'boards:read',
    status: 200,
    response: list(boardSchema),
  }),
  'boards.create': operation({
    number: 10,
    method: 'POST',
    path: '/projects/{project}/boards',
    scope: 'boards:write',
    status: 201,
    body: createBoardSchema,
    response: boardSchema,
    failures: ['validation_failed'],
  }),
  'boards.reorder': operation({
    number: 11,
    method: 'PUT',
    path: '/projects/{project}/boards/reorder',
    scope: 'boards:write',
    status: 200,
    body: reorderBoardsSchema,
    response: list(boardSchema),
    failures: ['validation_failed', 'invalid_board_list'],
  }),
  'boards.update': operation({
    number: 12,
    method: 'PATCH',
    path: '/boards/{board}',
    scope: 'boards:write',
    status: 200,
    body: updateBoardSchema,
    response: boardSchema,
    failures: ['validation_failed'],
  }),
  'boards.delete': operation({
    number: 13,
    method: 'DELETE',
    path: '/boards/{board}',
    scope: 'boards:write',
    status: 204,
    body: deleteBoardSchema,
    failures: ['validation_failed', 'target_board_required', 'invalid_target_board', 'wip_limit_reached'],
  }),
}))();
