import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ApiError, type ApiPromise, Worktrack } from 'worktrack';
import type { MockServer, World } from 'worktrack/mock-server';
import { listen } from 'worktrack/mock-server/node';
import { type Ids, operations } from '../support/operations.js';
import { describeHistory, type Exchange, legalOrder } from './history.js';
import { expectInvariants, expectInventory } from './invariants.js';
import type { ModelRequest } from './model/response.js';
import { type Model, modelOf } from './model/state.js';
import { checkProperty } from './runs.js';
import { now } from './world.js';

describe('many clients over HTTP', () => {
  test('get responses that are consistent with some sequential order, and leave WIP limits, positions, and numbers valid', async () => {
    const server = await listen();
    onTestFinished(() => server.close());
    await checkProperty(
      'many clients',
      fc.asyncProperty(plans(), async (each) => {
        const mock = server.createSpace('run', { replace: true, world: worldWithLimit(3), now });
        const histories = await Promise.all(each.map((plan) => playWithClient(mock, plan)));
        expect(overlaps(histories.flat()), 'concurrent requests').toBeGreaterThan(0);
        await expectLegal(mock, histories.flat());
      }),
      { quick: 6, long: 100 },
    );
  }, 3_600_000);
});

describe('legalOrder()', () => {
  test('returns undefined if a board accepted a ticket beyond its WIP limit', async () => {
    const server = await listen();
    onTestFinished(() => server.close());
    const mock = server.createSpace('run', { replace: true, world: worldWithLimit(4), now });
    const movePlans = ['tkt_1', 'tkt_2', 'tkt_3', 'tkt_4'].map((id) => [move(id, 'brd_2')]);
    const histories = await Promise.all(movePlans.map((plan) => playWithClient(mock, plan)));

    expect(legalOrder(modelOf(worldWithLimit(4), now), histories.flat())).toBeDefined();
    expect(legalOrder(modelOf(worldWithLimit(3), now), histories.flat())).toBeUndefined();
  });

  test('returns undefined if the only possible order contradicts the timestamps of the requests', async () => {
    const server = await listen();
    onTestFinished(() => server.close());
    const mock = server.createSpace('run', { replace: true, world: worldWithLimit(3), now });
    const [first, second] = (await playWithClient(mock, [create('brd_1'), create('brd_1')])) as [
      Exchange,
      Exchange,
    ];
    const swapped = [
      { ...first, sentAt: 3, receivedAt: 4 },
      { ...second, sentAt: 1, receivedAt: 2 },
    ];

    expect(legalOrder(modelOf(worldWithLimit(3), now), [first, second])).toBeDefined();
    expect(legalOrder(modelOf(worldWithLimit(3), now), swapped)).toBeUndefined();
    const concurrent = swapped.map((exchange) => ({ ...exchange, sentAt: 1 }));
    expect(legalOrder(modelOf(worldWithLimit(3), now), concurrent)).toBeDefined();
  });
});

/** Returns seed data with eight tickets and a board that has this WIP limit. */
const worldWithLimit = (limit: number): World => ({
  organizations: [
    {
      id: 'org_acme',
      name: 'Acme',
      credentials: [{ id: 'crd_all', token: 'all', name: 'Everything', scopes: ['*'] }],
      projects: [
        {
          id: 'prj_1',
          name: 'One',
          key: 'ONE',
          boards: [
            { id: 'brd_1', name: 'To do', slug: 'to-do', tickets: tickets.map((id) => ({ id, title: id })) },
            { id: 'brd_2', name: 'Doing', slug: 'doing', wip_limit: limit },
            { id: 'brd_3', name: 'Done', slug: 'done', is_done: true },
          ],
        },
      ],
    },
  ],
});

const tickets = Array.from({ length: 8 }, (_, index) => `tkt_${index + 1}`);

const request = (operation: ModelRequest['operation'], ids: object, body?: object): ModelRequest => ({
  operation,
  token: 'all',
  ids: { ...ids },
  ...(body && { body }),
});
const move = (ticket: string, board_id: string, position?: number) =>
  request('tickets.move', { ticket }, { board_id, ...(position !== undefined && { position }) });
const create = (board_id: string) =>
  request('tickets.create', { project: 'prj_1' }, { board_id, title: 'New' });

/** Generates a sequence of requests for each client. About half move or create tickets on the same board. */
function plans(): fc.Arbitrary<ModelRequest[][]> {
  const ticket = fc.constantFrom(...tickets);
  const board = fc.constantFrom('brd_1', 'brd_2', 'brd_2', 'brd_2', 'brd_3');
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(ticket, board, fc.option(fc.nat({ max: 3 }), { nil: undefined }))
        .map(([id, to, position]) => move(id, to, position)),
    },
    { weight: 4, arbitrary: board.map(create) },
    { weight: 1, arbitrary: ticket.map((id) => request('tickets.delete', { ticket: id })) },
    { weight: 1, arbitrary: ticket.map((id) => request('tickets.get', { ticket: id })) },
  );
  const plan = fc.array(step, { minLength: 4, maxLength: 12 });
  return fc.array(plan, { minLength: 4, maxLength: 8, size: 'max' });
}

/** Sends requests sequentially with a new client. */
async function playWithClient(mock: MockServer, plan: readonly ModelRequest[]): Promise<Exchange[]> {
  const client = new Worktrack({ ...mock.clientOptions(), retry: 0 });
  const history: Exchange[] = [];
  for (const request of plan) {
    const call = operations[request.operation].call(client, request.ids as Ids, request.body ?? {});
    const sentAt = performance.now();
    const response = await (call as ApiPromise<unknown>).withResponse().then(
      ({ status, data }) => ({ status, data, body: { data } }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.status, data: undefined, body: { code: error.code } };
      },
    );
    history.push({ request, response, sentAt, receivedAt: performance.now() });
  }
  return history;
}

/** Asserts that some order of the requests explains all responses and the final state. */
async function expectLegal(mock: MockServer, history: readonly Exchange[]): Promise<void> {
  const whole = [
    ...history,
    ...(await playWithClient(mock, [request('tickets.list', { project: 'prj_1' })])),
  ];
  const model = legalOrder(modelOf(worldWithLimit(3), now), whole);
  expect(model, `no order explains these responses:\n${describeHistory(whole)}`).toBeDefined();
  expectInventory(mock, model as Model);
  expectInvariants(mock);
}

const overlaps = (history: readonly Exchange[]): number =>
  history.filter((one) =>
    history.some((other) => other !== one && other.sentAt < one.receivedAt && one.sentAt < other.receivedAt),
  ).length;
