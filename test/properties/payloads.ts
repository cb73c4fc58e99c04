import fc from 'fast-check';
import type { OperationId } from 'worktrack/contract';
import { type Named, named, type Resolver } from './references.js';

type Body = (at: Resolver, ids: Record<string, string>) => Record<string, unknown> | undefined;

interface Payload {
  query?: fc.Arbitrary<Record<string, string | Named | undefined>>;
  body?: fc.Arbitrary<Body>;
}

/** Omits the value in half of the cases. */
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const orNull = <Value>(value: fc.Arbitrary<Value>) => maybe(fc.option(value, { freq: 4 }));
/** Usually chooses a common value, sometimes a rare value. */
const often = <Value>(common: readonly Value[], rare: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...common) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
const text = fc.constantFrom('Alpha', 'beta', 'Alpha beta', '', '\u{1F680} x', '!!!');
const html = fc.constantFrom('<p>alpha</p>', 'plain beta', '<b>al</b>pha', '');
const flag = maybe(fc.boolean());
const names = (maxLength: number) => maybe(fc.array(named, { maxLength }));
const q = maybe(fc.constantFrom('alpha', 'BETA', 'p', 'nothing', ''));
const paging = {
  per_page: maybe(often(['1', '2', '3', '200'], ['201', '0', 'x'])),
  page: maybe(often(['1', '1', '2', '3', '9'], ['0', '1.5'])),
};

/** Builds a body from values, and resolves references to IDs. */
const fields = <Values>(
  values: { [Name in keyof Values]: fc.Arbitrary<Values[Name]> },
  build: (values: Values, at: Resolver, ids: Record<string, string>) => Record<string, unknown> = (plain) =>
    plain as Record<string, unknown>,
): fc.Arbitrary<Body> =>
  (fc.record(values) as unknown as fc.Arbitrary<Values>).map(
    (given) => (at, ids) => present(build(given, at, ids)),
  );

const ticket = {
  description_html: orNull(html),
  priority: maybe(often(['low', 'normal', 'critical'], ['extreme'])),
  due_at: orNull(
    often(
      [
        '2026-01-01T00:00:02Z',
        '2025-06-01T00:00:00Z',
        '2026-01-01T01:00:00+01:00',
        '2025-12-31T23:00:00.5-01:00',
      ],
      ['soon'],
    ),
  ),
  assignees: names(3),
  labels: names(2),
};

const document = {
  project: orNull(named),
  caption: orNull(html),
  content_html: orNull(html),
  status: maybe(fc.constantFrom('draft', 'published')),
  editors: names(3),
  tag_names: maybe(fc.array(fc.constantFrom('ops', 'new', 'Ops'), { maxLength: 3 })),
};

/** Reorders a list, sometimes with an extra, missing, or duplicate entry. */
const order = (live: (at: Resolver, ids: Record<string, string>, board?: string) => string[]) =>
  fc
    .record({
      turn: fc.nat({ max: 5 }),
      flaw: often(['none'], ['short', 'twice', 'long']),
    })
    .map(({ turn, flaw }) => (at: Resolver, ids: Record<string, string>, board?: string) => {
      const all = live(at, ids, board);
      const turned = [
        ...all.slice(turn % (all.length + 1)),
        ...all.slice(0, turn % (all.length + 1)).reverse(),
      ];
      if (flaw === 'short') return turned.slice(1);
      if (flaw === 'twice') return [...turned.slice(1), ...turned.slice(-1)];
      return flaw === 'long' ? [...turned, 'tkt_4'] : turned;
    });

const comment = fields({ body_html: html });

/** The payloads of all operations with a body or query. */
export const payloads: Partial<Record<OperationId, Payload>> = {
  'projects.create': { body: fields({ name: text, key: text, description: orNull(text) }) },
  'projects.update': { body: fields({ name: maybe(text), description: orNull(text), archived: flag }) },
  'boards.create': {
    body: fields({
      name: text,
      color: orNull(text),
      wip_limit: orNull(fc.integer({ min: 1, max: 3 })),
      is_done: flag,
    }),
  },
  'boards.reorder': {
    body: order((at, ids) => at.liveBoards(ids.project)).map(
      (list) => (at: Resolver, ids: Record<string, string>) => ({ board_ids: list(at, ids) }),
    ),
  },
  'boards.update': {
    body: fields({
      name: maybe(text),
      color: orNull(text),
      wip_limit: orNull(often([1, 2, 3], [0])),
      is_done: flag,
      is_hidden: flag,
    }),
  },
  'boards.delete': {
    body: fields({ target: maybe(named) }, ({ target }, at, ids) => ({
      move_to_board_id: target && at.board(target, at.projectOfBoard(ids.board ?? '')),
    })),
  },
  'tickets.list': {
    query: fc.record({ board_id: maybe(named), q, ...paging }) as NonNullable<Payload['query']>,
  },
  'tickets.create': {
    body: fields(
      {
        ...ticket,
        board: named,
        by: often(['id', 'id', 'slug'], ['both', 'none']),
        title: text,
      },
      ({ board, by, assignees, labels, ...rest }, at, ids) => ({
        ...rest,
        board_id: by === 'id' || by === 'both' ? at.board(board, ids.project) : undefined,
        board_slug: by === 'slug' || by === 'both' ? at.slug(board, ids.project ?? '') : undefined,
        assignee_ids: assignees?.map((name) => at.user(name)),
        label_ids: labels?.map((name) => at.label(name, ids.project)),
      }),
    ),
  },
  'tickets.reorder': {
    body: fc
      .tuple(
        named,
        order((at, _, board) => at.liveTickets(board ?? 'nothing')),
      )
      .map(([name, list]) => (at: Resolver, ids: Record<string, string>) => {
        const board_id = at.board(name, ids.project);
        return { board_id, ticket_ids: list(at, ids, board_id) };
      }),
  },
  'tickets.update': {
    body: fields(
      { ...ticket, title: maybe(text), archived: flag },
      ({ assignees, labels, ...rest }, at, ids) => ({
        ...rest,
        assignee_ids: assignees?.map((name) => at.user(name)),
        label_ids: labels?.map((name) => at.label(name, at.projectOfTicket(ids.ticket ?? ''))),
      }),
    ),
  },
  'tickets.move': {
    body: fields({ board: named, position: maybe(fc.nat({ max: 4 })) }, ({ board, position }, at, ids) => ({
      board_id: at.board(board, at.projectOfTicket(ids.ticket ?? '')),
      position,
    })),
  },
  'tickets.comments.create': { body: comment },
  'documents.list': {
    query: fc.record({
      project_id: maybe(named),
      status: maybe(often(['draft', 'published'], ['lost'])),
      q,
      tags: maybe(fc.constantFrom('ops', 'ops,new', ' new ,', 'Ops', 'nothing', '')),
      ...paging,
    }) as NonNullable<Payload['query']>,
  },
  'documents.create': {
    body: fields({ ...document, title: text }, ({ project, editors, ...rest }, at) => ({
      ...rest,
      project_id: project && at.project(project),
      editor_ids: editors?.map((name) => at.user(name)),
    })),
  },
  'documents.update': {
    body: fields(
      { ...document, title: maybe(text), archived: flag },
      ({ project, editors, ...rest }, at) => ({
        ...rest,
        project_id: project && at.project(project),
        editor_ids: editors?.map((name) => at.user(name)),
      }),
    ),
  },
  'documents.comments.create': { body: comment },
  'notifications.send': {
    body: fields(
      {
        users: fc.array(named, { minLength: 1, maxLength: 3 }),
        title: text,
        body: text,
        url: orNull(urls()),
      },
      ({ users, ...rest }, at) => ({ ...rest, user_ids: users.map((name) => at.user(name)) }),
    ),
  },
};

function urls() {
  return fc.constantFrom('/app', '/app/x', '/app/x/y', '/apple', '//app', 'https://app');
}

/** Removes undefined fields like JSON.stringify. */
const present = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
