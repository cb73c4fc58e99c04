import type { Board, CreateBoard, DeleteBoard, ReorderBoards, UpdateBoard } from '../contract/index.js';
import { Resource } from '../http/operation-client.js';
import type { ApiPromise } from '../http/read-response.js';
import type { CallOptions } from '../options.js';

/** A project's boards, which are ordered columns of tickets. */
export class Boards extends Resource {
  /** Lists a project's boards, in order. Requires the `boards:read` scope. */
  list(project: string, options?: CallOptions): ApiPromise<Board[]> {
    return this.operations.call('boards.list', { params: { project } }, options);
  }

  /**
   * Creates a board after the project's last board. Requires the `boards:write` scope.
   *
   * @param body the name (up to 120 characters), the color (up to 32), and `wip_limit`, a positive integer
   *
   * @example
   * ```ts
   * const doing = await client.boards.create(project.id, { name: 'Doing', wip_limit: 3 });
   * ```
   */
  create(project: string, body: CreateBoard, options?: CallOptions): ApiPromise<Board> {
    return this.operations.call('boards.create', { params: { project }, body }, options);
  }

  /**
   * Reorders a project's boards. Requires the `boards:write` scope.
   *
   * @param body the IDs of all the project's live boards, in the new order
   * @returns the boards in their new order
   * @throws {@link UnprocessableError} if the list doesn't contain each live board exactly once
   * (`invalid_board_list`)
   */
  reorder(project: string, body: ReorderBoards, options?: CallOptions): ApiPromise<Board[]> {
    return this.operations.call('boards.reorder', { params: { project }, body }, options);
  }

  /** Updates a board. Omitted fields don't change. Requires the `boards:write` scope. */
  update(board: string, body: UpdateBoard, options?: CallOptions): ApiPromise<Board> {
    return this.operations.call('boards.update', { params: { board }, body }, options);
  }

  /**
   * Deletes a board (soft delete) and moves its tickets to another board. Requires the `boards:write` scope.
   *
   * @param body `move_to_board_id`, required if the board has tickets
   * @throws {@link UnprocessableError} if the target board is missing, invalid, or full
   * (`target_board_required`, `invalid_target_board`, `wip_limit_reached`)
   *
   * @example
   * ```ts
   * await client.boards.delete(doing.id, { move_to_board_id: todo.id });
   * ```
   */
  delete(board: string, body?: DeleteBoard, options?: CallOptions): ApiPromise<undefined> {
    return this.operations.call('boards.delete', { params: { board }, body }, options);
  }
}
