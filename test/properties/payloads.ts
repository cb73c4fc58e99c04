import fc from 'fast-check';
import type { OperationId } from 'worktrack/contract';
import { type Named, named, type Resolver } from './references.js';

type Body = (at: Resolver, ids: Record<string, string>) => Record<string, unknown> | undefined;

interface Payload {
  query?: fc.Arbitrary<Record<string, string | Named | undefined>>;
  body?: fc.Arbitrary<Body>;
}

/** Omits the value half the time. */
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const nullable = <Value>(value: fc.Arbitrary<Value>) => optional(fc.option(value, { freq: 4 }));
/** Usually chooses a common value, sometimes a rare one. */
const mostly = <Value>(common: readonly Value[], rare: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...common) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
const text = fc.constantFrom('Alpha', 'beta', 'Alpha beta', '', '\u{1F680} x', '!!!');
const html = fc.constantFrom('<p>alpha</p>', 'plain beta', '<b>al</b>pha', '');
const flag = optional(fc.boolean());
const names = (maxLength: number) => optional(fc.array(named, { maxLength }));
const q = optional(fc.constantFrom('alpha', 'BETA', 'p', 'nothing', ''));
const paging = {
  per_page: optional(mostly(['1', '2', '3', '200'], ['201', '0', 'x'])),
  page: optional(mostly(['1', '1', '2', '3', '9'], ['0', '1.5'])),
};

/** Builds a body from values and resolves references to IDs. */
const fields = <Values>(
  values: { [Name in keyof Values]: fc.Arbitrary<Values[Name]> },
  build: (values: Values, at: Resolver, ids: Record<string, string>) => Record<string, unknown> = (plain) =>
    plain as Record<string, unknown>,
): fc.Arbitrary<Body> =>
  (fc.record(values) as unknown as fc.Arbitrary<Values>).map(
    (record) => (at, ids) => present(build(record, at, ids)),
  );

const ticket = {
  description_html: nullable(html),
  priority: optional(mostly(['low', 'normal', 'critical'], ['extreme'])),
  due_at: nullable(
    mostly(
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
  project: nullable(named),
  caption: nullable(html),
  content_html: nullable(html),
  status: optional(fc.constantFrom('draft', 'published')),
  editors: names(3),
  tag_names: optional(fc.array(fc.constantFrom('ops', 'new', 'Ops'), { maxLength: 3 })),
};

/** Reorders a list, sometimes with an extra, missing, or duplicate entry. */
const order = (live: (at: Resolver, ids: Record<string, string>, board?: string) => string[]) =>
  fc
    .record({ rotation: fc.nat({ max: 5 }), defect: mostly(['none'], ['short', 'twice', 'long']) })
    .map(({ rotation, defect }) => (at: Resolver, ids: Record<string, string>, board?: string) => {
      const all = live(at, ids, board);
      const reordered = [
        ...all.slice(rotation % (all.length + 1)),
        ...all.slice(0, rotation % (all.length + 1)).reverse(),
      ];
      if (defect === 'short') return reordered.slice(1);
      if (defect === 'twice') return [...reordered.slice(1), ...reordered.slice(-1)];
      return defect === 'long' ? [...reordered, 'tkt_4'] : reordered;
    });

const comment = fields({ body_html: html });

/** Payloads for all operations that accept a body or query. */
export const payloads: Partial<Record<OperationId, Payload>> = {
  'projects.create': { body: fields({ name: text, key: text, description: nullable(text) }) },
  'projects.update': { body: fields({ name: optional(text), description: nullable(text), archived: flag }) },
  'boards.create': {
    body: fields({
      name: text,
      color: nullable(text),
      wip_limit: nullable(fc.integer({ min: 1, max: 3 })),
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
      name: optional(text),
      color: nullable(text),
      wip_limit: nullable(mostly([1, 2, 3], [0])),
      is_done: flag,
      is_hidden: flag,
    }),
  },
  'boards.delete': {
    body: fields({ target: optional(named) }, ({ target }, at, ids) => ({
      move_to_board_id: target && at.board(target, at.projectOfBoard(ids.board ?? '')),
    })),
  },
  'tickets.list': {
    query: fc.record({ board_id: optional(named), q, ...paging }) as NonNullable<Payload['query']>,
  },
  'tickets.create': {
    body: fields(
      { ...ticket, board: named, by: mostly(['id', 'id', 'slug'], ['both', 'none']), title: text },
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
      { ...ticket, title: optional(text), archived: flag },
      ({ assignees, labels, ...rest }, at, ids) => ({
        ...rest,
        assignee_ids: assignees?.map((name) => at.user(name)),
        label_ids: labels?.map((name) => at.label(name, at.projectOfTicket(ids.ticket ?? ''))),
      }),
    ),
  },
  'tickets.move': {
    body: fields(
      { board: named, position: optional(fc.nat({ max: 4 })) },
      ({ board, position }, at, ids) => ({
        board_id: at.board(board, at.projectOfTicket(ids.ticket ?? '')),
        position,
      }),
    ),
  },
  'tickets.comments.create': { body: comment },
  'documents.list': {
    query: fc.record({
      project_id: optional(named),
      status: optional(mostly(['draft', 'published'], ['lost'])),
      q,
      tags: optional(fc.constantFrom('ops', 'ops,new', ' new ,', 'Ops', 'nothing', '')),
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
      { ...document, title: optional(text), archived: flag },
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
        url: nullable(urls()),
      },
      ({ users, ...rest }, at) => ({ ...rest, user_ids: users.map((name) => at.user(name)) }),
    ),
  },
};

function urls() {
  return fc.constantFrom('/app', '/app/x', '/app/x/y', '/apple', '//app', 'https://app');
}

/** Removes undefined fields, like JSON.stringify. */
const present = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
