import type { Json } from '../lab.js';
import { holds, same } from '../outcome.js';
import { choice, rule, type Scenario } from '../scenario.js';

const idsOf = (records: { id: string }[]): string[] => records.map(({ id }) => id);

export const ticketScenarios: Scenario[] = [
  rule('tickets.create', 'makes a ticket with every field (201)', async (lab) => {
    const { project, first } = await lab.stage(0);
    const member = await lab.member(project);
    const body = {
      title: 'All',
      description_html: '<p>x</p>',
      priority: 'high',
      due_at: '2030-01-01T12:00:00Z',
    };
    const ticket = await lab.ticket(project, first, { ...body, assignee_ids: [member.id] });
    same([ticket.title, ticket.description_html, ticket.priority], ['All', '<p>x</p>', 'high'], 'the ticket');
    same(Date.parse(ticket.due_at), Date.parse(body.due_at), 'due_at');
    const read = lab.succeeds(await lab.call('tickets.get', [ticket.id]), 200);
    same(read, ticket, 'tickets.get');
  }),
  rule('tickets.get', 'gives the ticket (200)', async (lab) => {
    const {
      tickets: [ticket],
    } = await lab.stage();
    same(lab.succeeds(await lab.call('tickets.get', [ticket.id]), 200).id, ticket.id, 'id');
  }),
  rule('tickets.create', 'records the credential as creator, by its name', async (lab) => {
    const {
      tickets: [ticket],
    } = await lab.stage();
    holds(typeof ticket.creator?.name === 'string', 'the ticket has no creator with a name');
  }),
  rule('tickets.create', 'takes a board by its slug (201)', async (lab) => {
    const { project, second } = await lab.stage(0);
    const body = { title: 'By slug', board_slug: second.slug };
    same(
      lab.succeeds(await lab.call('tickets.create', [project.id], { body }), 201).board_id,
      second.id,
      'board_id',
    );
  }),
  ...(
    [
      ['a board that is none', 'invalid_board', { board_id: 'none' }, 'board_id'],
      ['a slug that is none', 'invalid_board', { board_slug: 'none' }, 'board_slug'],
      ['no board', 'validation_failed', {}, undefined],
      [
        'an assignee who is nobody',
        'invalid_relation',
        { board_slug: 'first', assignee_ids: ['none'] },
        'assignee_ids',
      ],
      ['a label that is none', 'invalid_relation', { board_slug: 'first', label_ids: ['none'] }, 'label_ids'],
    ] as const
  ).map(([what, code, fields, field]) =>
    rule('tickets.create', `refuses ${what} (422)`, async (lab) => {
      const { project } = await lab.stage(0);
      const body = { title: 'Refused', ...fields };
      lab.refuses(await lab.call('tickets.create', [project.id], { body }), code, field);
    }),
  ),
  rule('tickets.create', "refuses another project's board (422)", async (lab) => {
    const [project, foreign] = [await lab.project(), await lab.board(await lab.project())];
    const body = { title: 'Refused', board_id: foreign.id };
    lab.refuses(await lab.call('tickets.create', [project.id], { body }), 'invalid_board', 'board_id');
  }),
  rule('tickets.create', 'fills a board up to its WIP limit and refuses one more (422)', async (lab) => {
    const { project, second } = await lab.stage(0, { wip_limit: 1 });
    await lab.ticket(project, second);
    const body = { title: 'One too many', board_id: second.id };
    lab.refuses(await lab.call('tickets.create', [project.id], { body }), 'wip_limit_reached', 'board_id');
    same((await lab.order(project, second)).length, 1, 'tickets on the board');
  }),
  choice('tickets.create', 'counts numbers up in the project', async (lab) => {
    const { tickets } = await lab.stage(3);
    same(
      tickets.map(({ number }) => number),
      [1, 2, 3],
      'numbers',
    );
  }),
  rule('tickets.update', 'changes every field, null clears, archived archives (200)', async (lab) => {
    const {
      tickets: [ticket],
    } = await lab.stage();
    const update = async (body: object): Promise<Json> =>
      lab.succeeds(await lab.call('tickets.update', [ticket.id], { body }), 200);
    const set = await update({
      title: 'New',
      description_html: 'x',
      priority: 'critical',
      due_at: '2030-01-01T00:00:00+02:00',
    });
    same([set.title, set.description_html, set.priority], ['New', 'x', 'critical'], 'the ticket');
    same(Date.parse(set.due_at), Date.parse('2029-12-31T22:00:00Z'), 'due_at');
    const cleared = await update({ description_html: null, due_at: null });
    same([cleared.title, cleared.description_html, cleared.due_at], ['New', null, null], 'the ticket');
    holds(
      typeof (await update({ archived: true })).archived_at === 'string',
      'archived_at is no date while archived',
    );
    same((await update({ archived: false })).archived_at, null, 'archived_at');
  }),
  choice('tickets.update', 'replaces the list of assignees, each once', async (lab) => {
    const {
      project,
      tickets: [ticket],
    } = await lab.stage();
    const { id } = await lab.member(project);
    const assign = async (assignee_ids: string[]) =>
      idsOf(
        lab.succeeds(await lab.call('tickets.update', [ticket.id], { body: { assignee_ids } }), 200)
          .assignees,
      );
    same(await assign([id, id]), [id], 'assignees');
    same(await assign([]), [], 'assignees');
  }),
  rule('tickets.delete', 'deletes softly (204)', async (lab) => {
    const { project, first, tickets } = await lab.stage(2);
    lab.succeeds(await lab.call('tickets.delete', [tickets[0].id]), 204);
    same(await lab.order(project, first), [tickets[1].id], 'tickets on the board');
  }),
  choice('tickets.delete', 'leaves nothing to be found (404)', async (lab) => {
    const {
      tickets: [ticket],
    } = await lab.stage();
    lab.succeeds(await lab.call('tickets.delete', [ticket.id]), 204);
    lab.refuses(await lab.call('tickets.delete', [ticket.id]), 'not_found');
  }),
  rule('tickets.move', 'puts a ticket on another board at a position (200)', async (lab) => {
    const {
      project,
      first,
      second,
      tickets: [ticket],
    } = await lab.stage();
    const [above, below] = [await lab.ticket(project, second), await lab.ticket(project, second)];
    const body = { board_id: second.id, position: 1 };
    same(
      lab.succeeds(await lab.call('tickets.move', [ticket.id], { body }), 200).board_id,
      second.id,
      'board_id',
    );
    same(await lab.order(project, second), [above.id, ticket.id, below.id], 'tickets on the board');
    same(await lab.order(project, first), [], 'tickets on the board it left');
  }),
  rule('tickets.move', 'refuses a board whose WIP limit is reached, and moves nothing (422)', async (lab) => {
    const {
      project,
      first,
      second,
      tickets: [ticket],
    } = await lab.stage(1, { wip_limit: 1 });
    await lab.ticket(project, second);
    const body = { board_id: second.id };
    lab.refuses(await lab.call('tickets.move', [ticket.id], { body }), 'wip_limit_reached', 'board_id');
    same(await lab.order(project, first), [ticket.id], 'tickets on the board');
  }),
  rule('tickets.move', 'refuses a board that is none and a negative position (422)', async (lab) => {
    const {
      second,
      tickets: [ticket],
    } = await lab.stage();
    const foreign = await lab.board(await lab.project());
    for (const board_id of ['none', foreign.id]) {
      lab.refuses(
        await lab.call('tickets.move', [ticket.id], { body: { board_id } }),
        'invalid_board',
        'board_id',
      );
    }
    const negative = { board_id: second.id, position: -1 };
    lab.refuses(
      await lab.call('tickets.move', [ticket.id], { body: negative }),
      'validation_failed',
      'position',
    );
  }),
  choice('tickets.move', 'takes a position past the end, or none, for the end', async (lab) => {
    const {
      project,
      second,
      tickets: [one, two],
    } = await lab.stage(2);
    const there = await lab.ticket(project, second);
    await lab.call('tickets.move', [one.id], { body: { board_id: second.id, position: 99 } });
    await lab.call('tickets.move', [two.id], { body: { board_id: second.id } });
    same(await lab.order(project, second), [there.id, one.id, two.id], 'tickets on the board');
  }),
  choice('tickets.move', 'within a full board is no arrival (200)', async (lab) => {
    const { project, second } = await lab.stage(0, { wip_limit: 2 });
    const [one, two] = [await lab.ticket(project, second), await lab.ticket(project, second)];
    lab.succeeds(
      await lab.call('tickets.move', [two.id], { body: { board_id: second.id, position: 0 } }),
      200,
    );
    same(await lab.order(project, second), [two.id, one.id], 'tickets on the board');
  }),
  choice(
    'tickets.move',
    'sets started_at on the first move, completed_at on a done board only',
    async (lab) => {
      const {
        project,
        first,
        second,
        tickets: [ticket],
      } = await lab.stage();
      const done = await lab.board(project, { name: 'Done', is_done: true });
      const move = async (board: Json): Promise<Json> =>
        lab.succeeds(await lab.call('tickets.move', [ticket.id], { body: { board_id: board.id } }), 200);
      const started = await move(second);
      holds(
        typeof started.started_at === 'string' && started.completed_at === null,
        'not started by the first move',
      );
      holds(typeof (await move(done)).completed_at === 'string', 'not completed on the done board');
      const back = await move(first);
      same([back.started_at, back.completed_at], [started.started_at, null], 'started_at and completed_at');
    },
  ),
  rule('tickets.reorder', 'puts the tickets in the order given (204)', async (lab) => {
    const { project, first, tickets } = await lab.stage(3);
    const ticket_ids = idsOf(tickets).reverse();
    lab.succeeds(
      await lab.call('tickets.reorder', [project.id], { body: { board_id: first.id, ticket_ids } }),
      204,
    );
    same(await lab.order(project, first), ticket_ids, 'tickets on the board');
  }),
  ...(
    [
      ['lacks one', ([first]) => [first]],
      ['names one twice', ([first, second]) => [first, second, second]],
      ['names one that is none', ([first, second]) => [first, second, 'none']],
    ] as [string, (ids: string[]) => unknown[]][]
  ).map(([what, list]) =>
    rule('tickets.reorder', `refuses a list that ${what} (422)`, async (lab) => {
      const { project, first, tickets } = await lab.stage(2);
      const body = { board_id: first.id, ticket_ids: list(idsOf(tickets)) };
      lab.refuses(
        await lab.call('tickets.reorder', [project.id], { body }),
        'invalid_ticket_list',
        'ticket_ids',
      );
      same(await lab.order(project, first), idsOf(tickets), 'tickets on the board');
    }),
  ),
  rule('tickets.comments.create', 'makes a comment (201)', async (lab) => {
    const {
      tickets: [ticket],
    } = await lab.stage();
    const answer = await lab.call('tickets.comments.create', [ticket.id], {
      body: { body_html: '<p>Hello</p>' },
    });
    same(lab.succeeds(answer, 201).body_html, '<p>Hello</p>', 'body_html');
  }),
];
