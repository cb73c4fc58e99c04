import { expectEqual, expectPositions, expectTrue } from '../expectations.js';
import { idsOf } from '../harness.js';
import { optional, rule, type Scenario } from '../scenario.js';

/**
 * Rules about boards. A deployment may create default boards, so each rule checks only the boards that it
 * creates itself.
 */
export const boardScenarios: Scenario[] = [
  rule('boards.list', 'returns the boards (200)', async (harness) => {
    const { project, first, second } = await harness.createBoards(0);
    const listed = await harness.listBoardIds(project);
    expectTrue(
      [first.id, second.id].every((id) => listed.includes(id)),
      'boards.list is missing a newly created board',
    );
  }),
  optional('boards.list', 'returns no boards for a new project', async (harness) => {
    expectEqual(await harness.listBoardIds(await harness.createProject()), [], 'boards');
  }),
  optional('boards.list', 'returns the positions 0, 1, 2, and so on', async (harness) => {
    const { project } = await harness.createBoards(0);
    const boards = await harness.expectSuccess('boards.list', [project.id]);
    expectPositions(boards);
  }),
  rule('boards.create', 'creates a board with every field (201)', async (harness) => {
    const project = await harness.shared.project();
    const fields = { name: 'All', color: 'red', wip_limit: 3, is_done: true };
    const { name, color, wip_limit, is_done } = await harness.createBoard(project, fields);
    expectEqual({ name, color, wip_limit, is_done }, fields, 'the board');
  }),
  optional('boards.create', 'adds a board to the end of its project', async (harness) => {
    const { project, first, second } = await harness.createBoards(0);
    expectEqual((await harness.listBoardIds(project)).slice(-2), [first.id, second.id], 'boards.list');
  }),
  optional('boards.create', 'derives a unique slug from the name', async (harness) => {
    const project = await harness.createProject();
    const slugs: string[] = [];
    for (const name of ['In review!', 'In review', '…'])
      slugs.push((await harness.createBoard(project, { name })).slug);
    expectEqual(slugs, ['in-review', 'in-review-2', 'board'], 'slugs');
  }),
  rule('boards.update', 'updates every field and clears fields set to null (200)', async (harness) => {
    const { second } = await harness.createBoards(0, { color: 'red', wip_limit: 2 });
    const body = { name: 'Renamed', color: null, wip_limit: null, is_done: true, is_hidden: true };
    const board = await harness.expectSuccess('boards.update', [second.id], { body });
    const { name, color, wip_limit, is_done, is_hidden } = board;
    expectEqual({ name, color, wip_limit, is_done, is_hidden }, body, 'the board');
  }),
  rule('boards.reorder', 'reorders the boards and returns them (200)', async (harness) => {
    const { project } = await harness.createBoards(0);
    const board_ids = (await harness.listBoardIds(project)).reverse();
    const reordered = await harness.expectSuccess('boards.reorder', [project.id], { body: { board_ids } });
    expectEqual(idsOf(reordered), board_ids, 'the response');
    expectEqual(await harness.listBoardIds(project), board_ids, 'boards.list');
  }),
  ...(
    [
      ['with a missing board', (ids) => ids.slice(1)],
      ['with a duplicate board', (ids) => [...ids, ...ids.slice(-1)]],
      ['with an unknown board', (ids) => [...ids, 'none']],
      ['without boards', () => []],
    ] as [string, (ids: string[]) => string[]][]
  ).map(([title, listFrom]) =>
    rule('boards.reorder', `rejects a list ${title} (422)`, async (harness) => {
      const { project } = await harness.createBoards(0);
      const order = await harness.listBoardIds(project);
      const body = { board_ids: listFrom(order) };
      await harness.expectError('boards.reorder', [project.id], { body }, 'invalid_board_list', 'board_ids');
      expectEqual(await harness.listBoardIds(project), order, 'boards.list');
    }),
  ),
  rule('boards.delete', 'deletes an empty board if no target is given (204)', async (harness) => {
    const { project, first } = await harness.createBoards(0);
    await harness.expectSuccess('boards.delete', [first.id]);
    expectTrue(
      !(await harness.listBoardIds(project)).includes(first.id),
      'boards.list still contains the board',
    );
  }),
  rule('boards.delete', 'requires a target if the board has tickets (422)', async (harness) => {
    const { first } = await harness.createBoards();
    await harness.expectError('boards.delete', [first.id], {}, 'target_board_required', 'move_to_board_id');
  }),
  rule('boards.delete', 'deletes a board and moves its tickets to the target (204)', async (harness) => {
    const { project, first, second, tickets } = await harness.createBoards(2);
    const body = { move_to_board_id: second.id };
    await harness.expectSuccess('boards.delete', [first.id], { body });
    expectEqual(
      (await harness.listTicketIds(project, second)).sort(),
      idsOf(tickets).sort(),
      'tickets on the target',
    );
    expectTrue(
      !(await harness.listBoardIds(project)).includes(first.id),
      'boards.list still contains the board',
    );
  }),
  rule(
    'boards.delete',
    'rejects an unknown target, the board itself, and a board in another project (422)',
    async (harness) => {
      const { project, first, tickets } = await harness.createBoards();
      const foreign = await harness.createBoard(await harness.createProject());
      for (const target of ['none', first.id, foreign.id]) {
        const body = { move_to_board_id: target };
        await harness.expectError(
          'boards.delete',
          [first.id],
          { body },
          'invalid_target_board',
          'move_to_board_id',
        );
      }
      expectEqual(await harness.listTicketIds(project, first), idsOf(tickets), 'tickets on the board');
    },
  ),
  rule(
    'boards.delete',
    'rejects a target without room for all tickets (422) and moves none',
    async (harness) => {
      const { project, first, second, tickets } = await harness.createBoards(2, { wip_limit: 1 });
      const body = { move_to_board_id: second.id };
      await harness.expectError(
        'boards.delete',
        [first.id],
        { body },
        'wip_limit_reached',
        'move_to_board_id',
      );
      expectEqual(await harness.listTicketIds(project, first), idsOf(tickets), 'tickets on the board');
      expectTrue((await harness.listTicketIds(project, second)).length === 0, 'a ticket was moved anyway');
    },
  ),
];
