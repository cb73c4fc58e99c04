import { expectArchivable, expectEqual, expectPositions, expectTrue } from '../expectations.js';
import { idsOf } from '../harness.js';
import type { Json } from '../records.js';
import { optional, rule, type Scenario } from '../scenario.js';

export const ticketScenarios: Scenario[] = [
  rule('tickets.create', 'creates a ticket with every field (201)', async (harness) => {
    const { project, first } = await harness.createBoards(0);
    const member = await harness.findMember(project);
    const body = {
      title: 'All',
      description_html: '<p>x</p>',
      priority: 'high',
      due_at: '2030-01-01T12:00:00Z',
    };
    const ticket = await harness.createTicket(project, first, { ...body, assignee_ids: [member.id] });
    expectEqual(
      [ticket.title, ticket.description_html, ticket.priority, idsOf(ticket.assignees)],
      ['All', '<p>x</p>', 'high', [member.id]],
      'the ticket',
    );
    expectEqual(Date.parse(ticket.due_at), Date.parse(body.due_at), 'due_at');
    const read = await harness.expectSuccess('tickets.get', [ticket.id]);
    expectEqual(
      [read.title, read.description_html, read.priority],
      ['All', '<p>x</p>', 'high'],
      'tickets.get',
    );
  }),
  rule('tickets.get', 'returns the ticket (200)', async (harness) => {
    const ticket = await harness.shared.ticket();
    expectEqual((await harness.expectSuccess('tickets.get', [ticket.id])).id, ticket.id, 'id');
  }),
  rule('tickets.create', "records the credential's name as the creator", async (harness) => {
    const ticket = await harness.createTicket(await harness.shared.project(), await harness.shared.board());
    expectTrue(typeof ticket.creator?.name === 'string', "the ticket's creator has no name");
  }),
  rule('tickets.create', "accepts a board's slug (201)", async (harness) => {
    const { project, second } = await harness.createBoards(0);
    const body = { title: 'By slug', board_slug: second.slug };
    expectEqual(
      (await harness.expectSuccess('tickets.create', [project.id], { body })).board_id,
      second.id,
      'board_id',
    );
  }),
  ...(
    [
      ['an unknown board', 'invalid_board', { board_id: 'none' }, 'board_id'],
      ['an unknown slug', 'invalid_board', { board_slug: 'none' }, 'board_slug'],
      ['an unknown assignee', 'invalid_relation', { assignee_ids: ['none'] }, 'assignee_ids'],
      ['an unknown label', 'invalid_relation', { label_ids: ['none'] }, 'label_ids'],
    ] as const
  ).map(([title, code, fields, field]) =>
    rule('tickets.create', `rejects ${title} (422)`, async (harness) => {
      const [project, board] = [await harness.shared.project(), await harness.shared.board()];
      const selector = code === 'invalid_board' ? {} : { board_id: board.id };
      const body = { title: 'Rejected', ...selector, ...fields };
      await harness.expectError('tickets.create', [project.id], { body }, code, field);
    }),
  ),
  optional('tickets.create', 'requires exactly one of board_id and board_slug (422)', async (harness) => {
    const [project, board] = [await harness.shared.project(), await harness.shared.board()];
    for (const selectors of [{}, { board_id: board.id, board_slug: board.slug }]) {
      const body = { title: 'Rejected', ...selectors };
      await harness.expectError('tickets.create', [project.id], { body }, 'validation_failed');
    }
  }),
  rule('tickets.create', 'rejects a board in another project (422)', async (harness) => {
    const [project, foreign] = [
      await harness.createProject(),
      await harness.createBoard(await harness.createProject()),
    ];
    const body = { title: 'Rejected', board_id: foreign.id };
    await harness.expectError('tickets.create', [project.id], { body }, 'invalid_board', 'board_id');
  }),
  rule(
    'tickets.create',
    "accepts tickets up to a board's WIP limit and rejects one more (422)",
    async (harness) => {
      const { project, second } = await harness.createBoards(0, { wip_limit: 1 });
      await harness.createTicket(project, second);
      const body = { title: 'One too many', board_id: second.id };
      await harness.expectError('tickets.create', [project.id], { body }, 'wip_limit_reached', 'board_id');
      expectEqual((await harness.listTicketIds(project, second)).length, 1, 'tickets on the board');
    },
  ),
  optional('tickets.create', "numbers a project's tickets starting at 1", async (harness) => {
    const { tickets } = await harness.createBoards(3);
    expectEqual(
      tickets.map(({ number }) => number),
      [1, 2, 3],
      'numbers',
    );
  }),
  rule(
    'tickets.update',
    'updates the fields, clears fields set to null, and archives the ticket (200)',
    async (harness) => {
      const { ticket } = await harness.createBoards();
      const update = async (body: object): Promise<Json> =>
        harness.expectSuccess('tickets.update', [ticket.id], { body });
      const set = await update({
        title: 'New',
        description_html: 'x',
        priority: 'critical',
        due_at: '2030-01-01T00:00:00+02:00',
      });
      expectEqual([set.title, set.description_html, set.priority], ['New', 'x', 'critical'], 'the ticket');
      expectEqual(Date.parse(set.due_at), Date.parse('2029-12-31T22:00:00Z'), 'due_at');
      const cleared = await update({ description_html: null, due_at: null });
      expectEqual(
        [cleared.title, cleared.description_html, cleared.due_at],
        ['New', null, null],
        'the ticket',
      );
      await expectArchivable('ticket', update);
    },
  ),
  optional('tickets.update', 'replaces the assignees and ignores duplicates', async (harness) => {
    const { project, ticket } = await harness.createBoards();
    const { id } = await harness.findMember(project);
    const assign = async (assignee_ids: string[]) =>
      idsOf(
        (await harness.expectSuccess('tickets.update', [ticket.id], { body: { assignee_ids } })).assignees,
      );
    expectEqual(await assign([id, id]), [id], 'assignees');
    expectEqual(await assign([]), [], 'assignees');
  }),
  rule('tickets.delete', 'soft-deletes the ticket (204)', async (harness) => {
    const { project, first, tickets } = await harness.createBoards(2);
    await harness.expectSuccess('tickets.delete', [tickets[0].id]);
    expectEqual(await harness.listTicketIds(project, first), [tickets[1].id], 'tickets on the board');
  }),
  optional('tickets.delete', 'makes the ticket inaccessible (404)', async (harness) => {
    const { ticket } = await harness.createBoards();
    await harness.expectSuccess('tickets.delete', [ticket.id]);
    await harness.expectError('tickets.delete', [ticket.id], {}, 'not_found');
  }),
  optional('tickets.move', 'numbers the positions on both boards 0, 1, 2, and so on', async (harness) => {
    const { project, first, second, ticket } = await harness.createBoards(3);
    await harness.createTicket(project, second);
    const body = { board_id: second.id, position: 0 };
    await harness.expectSuccess('tickets.move', [ticket.id], { body });
    for (const board of [first, second]) {
      const query = { board_id: board.id };
      expectPositions((await harness.expectPage('tickets.list', [project.id], query)).items);
    }
  }),
  rule('tickets.move', 'moves a ticket to a position on another board (200)', async (harness) => {
    const { project, first, second, ticket } = await harness.createBoards();
    const [above, below] = [
      await harness.createTicket(project, second),
      await harness.createTicket(project, second),
    ];
    const body = { board_id: second.id, position: 1 };
    expectEqual(
      (await harness.expectSuccess('tickets.move', [ticket.id], { body })).board_id,
      second.id,
      'board_id',
    );
    expectEqual(
      await harness.listTicketIds(project, second),
      [above.id, ticket.id, below.id],
      'tickets on the board',
    );
    expectEqual(await harness.listTicketIds(project, first), [], 'tickets on the previous board');
  }),
  rule(
    'tickets.move',
    'rejects a move to a full board (422) and leaves the ticket in place',
    async (harness) => {
      const { project, first, second, ticket } = await harness.createBoards(1, { wip_limit: 1 });
      await harness.createTicket(project, second);
      const body = { board_id: second.id };
      await harness.expectError('tickets.move', [ticket.id], { body }, 'wip_limit_reached', 'board_id');
      expectEqual(await harness.listTicketIds(project, first), [ticket.id], 'tickets on the board');
    },
  ),
  rule('tickets.move', 'rejects an unknown board and a negative position (422)', async (harness) => {
    const { second, ticket } = await harness.createBoards();
    const foreign = await harness.createBoard(await harness.createProject());
    for (const board_id of ['none', foreign.id]) {
      await harness.expectError(
        'tickets.move',
        [ticket.id],
        { body: { board_id } },
        'invalid_board',
        'board_id',
      );
    }
    const negative = { board_id: second.id, position: -1 };
    await harness.expectError(
      'tickets.move',
      [ticket.id],
      { body: negative },
      'validation_failed',
      'position',
    );
  }),
  optional(
    'tickets.move',
    'moves a ticket to the end if the position is missing or too large',
    async (harness) => {
      const {
        project,
        second,
        tickets: [one, two],
      } = await harness.createBoards(2);
      const existing = await harness.createTicket(project, second);
      await harness.call('tickets.move', [one.id], { body: { board_id: second.id, position: 99 } });
      await harness.call('tickets.move', [two.id], { body: { board_id: second.id } });
      expectEqual(
        await harness.listTicketIds(project, second),
        [existing.id, one.id, two.id],
        'tickets on the board',
      );
    },
  ),
  optional('tickets.move', 'moves tickets within a full board (200)', async (harness) => {
    const { project, second } = await harness.createBoards(0, { wip_limit: 2 });
    const [one, two] = [
      await harness.createTicket(project, second),
      await harness.createTicket(project, second),
    ];
    await harness.expectSuccess('tickets.move', [two.id], { body: { board_id: second.id, position: 0 } });
    expectEqual(await harness.listTicketIds(project, second), [two.id, one.id], 'tickets on the board');
  }),
  optional(
    'tickets.move',
    'sets started_at on the first move, and completed_at only on a done board',
    async (harness) => {
      const { project, first, second, ticket } = await harness.createBoards();
      const done = await harness.createBoard(project, { name: 'Done', is_done: true });
      const move = async (board: Json): Promise<Json> =>
        harness.expectSuccess('tickets.move', [ticket.id], { body: { board_id: board.id } });
      const started = await move(second);
      expectTrue(
        typeof started.started_at === 'string' && started.completed_at === null,
        "the first move didn't set started_at",
      );
      expectTrue(
        typeof (await move(done)).completed_at === 'string',
        "the done board didn't set completed_at",
      );
      const back = await move(first);
      expectEqual(
        [back.started_at, back.completed_at],
        [started.started_at, null],
        'started_at and completed_at',
      );
    },
  ),
  rule('tickets.reorder', 'reorders the tickets (204)', async (harness) => {
    const { project, first, tickets } = await harness.createBoards(3);
    const ticket_ids = idsOf(tickets).reverse();
    await harness.expectSuccess('tickets.reorder', [project.id], {
      body: { board_id: first.id, ticket_ids },
    });
    expectEqual(await harness.listTicketIds(project, first), ticket_ids, 'tickets on the board');
  }),
  ...(
    [
      ['with a missing ticket', ([first]) => [first]],
      ['with a duplicate ticket', ([first, second]) => [first, second, second]],
      ['with an unknown ticket', ([first, second]) => [first, second, 'none']],
    ] as [string, (ids: string[]) => unknown[]][]
  ).map(([title, list]) =>
    rule('tickets.reorder', `rejects a list ${title} (422)`, async (harness) => {
      const { project, first, tickets } = await harness.createBoards(2);
      const body = { board_id: first.id, ticket_ids: list(idsOf(tickets)) };
      await harness.expectError(
        'tickets.reorder',
        [project.id],
        { body },
        'invalid_ticket_list',
        'ticket_ids',
      );
      expectEqual(await harness.listTicketIds(project, first), idsOf(tickets), 'tickets on the board');
    }),
  ),
  rule('tickets.comments.create', 'creates a comment (201)', async (harness) => {
    const { id } = await harness.shared.ticket();
    const body = { body_html: '<p>Hello</p>' };
    const { body_html } = await harness.expectSuccess('tickets.comments.create', [id], { body });
    expectEqual(body_html, '<p>Hello</p>', 'body_html');
  }),
];
