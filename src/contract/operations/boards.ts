import { list, operation } from '../operation.js';
import { board, createBoard, deleteBoard, reorderBoards, updateBoard } from '../schemas/board.js';

export const boardOperations = /* @__PURE__ */ (() => ({
  'boards.list': operation({
    number: 9,
    method: 'GET',
    path: '/projects/{project}/boards',
    scope: 'boards:read',
    status: 200,
    response: list(board),
  }),
  'boards.create': operation({
    number: 10,
    method: 'POST',
    path: '/projects/{project}/boards',
    scope: 'boards:write',
    status: 201,
    body: createBoard,
    response: board,
    errorCodes: ['validation_failed'],
  }),
  'boards.reorder': operation({
    number: 11,
    method: 'PUT',
    path: '/projects/{project}/boards/reorder',
    scope: 'boards:write',
    status: 200,
    body: reorderBoards,
    response: list(board),
    errorCodes: ['validation_failed', 'invalid_board_list'],
  }),
  'boards.update': operation({
    number: 12,
    method: 'PATCH',
    path: '/boards/{board}',
    scope: 'boards:write',
    status: 200,
    body: updateBoard,
    response: board,
    errorCodes: ['validation_failed'],
  }),
  'boards.delete': operation({
    number: 13,
    method: 'DELETE',
    path: '/boards/{board}',
    scope: 'boards:write',
    status: 204,
    body: deleteBoard,
    errorCodes: ['validation_failed', 'target_board_required', 'invalid_target_board', 'wip_limit_reached'],
  }),
}))();
