import { holds, same } from '../outcome.js';
import { choice, rule, type Scenario } from '../scenario.js';

const idsOf = (records: { id: string }[]): string[] => records.map(({ id }) => id);

export const boardScenarios: Scenario[] = [
  rule('boards.list', 'gives the boards, none in a new project (200)', async (lab) => {
    same(lab.succeeds(await lab.call('boards.list', [(await lab.project()).id]), 200), [], 'boards');
  }),
  rule('boards.create', 'makes a board at the end of its project (201)', async (lab) => {
    const { project, first, second } = await lab.stage(0);
    const third = await lab.board(project, { name: 'Third', color: 'red', wip_limit: 3, is_done: true });
    same([third.color, third.wip_limit, third.is_done], ['red', 3, true], 'the board');
    const listed = lab.succeeds(await lab.call('boards.list', [project.id]), 200);
    same(idsOf(listed), [first.id, second.id, third.id], 'boards.list');
  }),
  choice('boards.create', 'makes slugs from names, each once in a project', async (lab) => {
    const project = await lab.project();
    const slugs: string[] = [];
    for (const name of ['In review!', 'In review', '…'])
      slugs.push((await lab.board(project, { name })).slug);
    same(slugs, ['in-review', 'in-review-2', 'board'], 'slugs');
  }),
  rule('boards.update', 'changes every field, and null clears (200)', async (lab) => {
    const { second } = await lab.stage(0, { color: 'red', wip_limit: 2 });
    const body = { name: 'Renamed', color: null, wip_limit: null, is_done: true, is_hidden: true };
    const board = lab.succeeds(await lab.call('boards.update', [second.id], { body }), 200);
    const { name, color, wip_limit, is_done, is_hidden } = board;
    same({ name, color, wip_limit, is_done, is_hidden }, body, 'the board');
  }),
  rule('boards.reorder', 'puts the boards in the order given and answers with them (200)', async (lab) => {
    const { project, first, second } = await lab.stage(0);
    const body = { board_ids: [second.id, first.id] };
    same(
      idsOf(lab.succeeds(await lab.call('boards.reorder', [project.id], { body }), 200)),
      body.board_ids,
      'the answer',
    );
    same(
      idsOf(lab.succeeds(await lab.call('boards.list', [project.id]), 200)),
      body.board_ids,
      'boards.list',
    );
  }),
  ...(
    [
      ['lacks one', ([first]) => [first]],
      ['names one twice', ([first, second]) => [first, second, first]],
      ['names one that is none', ([first, second]) => [first, second, 'none']],
      ['is empty', () => []],
    ] as [string, (ids: string[]) => unknown[]][]
  ).map(([what, list]) =>
    rule('boards.reorder', `refuses a list that ${what} (422)`, async (lab) => {
      const { project, first, second } = await lab.stage(0);
      const body = { board_ids: list([first.id, second.id]) };
      lab.refuses(
        await lab.call('boards.reorder', [project.id], { body }),
        'invalid_board_list',
        'board_ids',
      );
      same(
        idsOf(lab.succeeds(await lab.call('boards.list', [project.id]), 200)),
        [first.id, second.id],
        'boards.list',
      );
    }),
  ),
  rule('boards.delete', 'deletes an empty board without a target (204)', async (lab) => {
    const { project, first, second } = await lab.stage(0);
    lab.succeeds(await lab.call('boards.delete', [first.id]), 204);
    same(idsOf(lab.succeeds(await lab.call('boards.list', [project.id]), 200)), [second.id], 'boards.list');
  }),
  rule('boards.delete', 'requires a target where tickets stand on the board (422)', async (lab) => {
    const { first } = await lab.stage();
    lab.refuses(await lab.call('boards.delete', [first.id]), 'target_board_required', 'move_to_board_id');
  }),
  rule('boards.delete', 'moves the tickets to the target (204)', async (lab) => {
    const { project, first, second, tickets } = await lab.stage(2);
    lab.succeeds(await lab.call('boards.delete', [first.id], { body: { move_to_board_id: second.id } }), 204);
    same((await lab.order(project, second)).sort(), idsOf(tickets).sort(), 'tickets on the target');
  }),
  rule('boards.delete', 'refuses a target that is none (422)', async (lab) => {
    const { project, first, tickets } = await lab.stage();
    const foreign = await lab.board(await lab.project());
    for (const target of ['none', first.id, foreign.id]) {
      const body = { move_to_board_id: target };
      lab.refuses(
        await lab.call('boards.delete', [first.id], { body }),
        'invalid_target_board',
        'move_to_board_id',
      );
    }
    same(await lab.order(project, first), idsOf(tickets), 'tickets on the board');
  }),
  rule(
    'boards.delete',
    'refuses a target whose WIP limit would be exceeded, and moves nothing (422)',
    async (lab) => {
      const { project, first, second, tickets } = await lab.stage(2, { wip_limit: 1 });
      const body = { move_to_board_id: second.id };
      lab.refuses(
        await lab.call('boards.delete', [first.id], { body }),
        'wip_limit_reached',
        'move_to_board_id',
      );
      same(await lab.order(project, first), idsOf(tickets), 'tickets on the board');
      holds((await lab.order(project, second)).length === 0, 'a ticket was moved all the same');
    },
  ),
];
