import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMockServer, type MockServer } from 'worktrack/mock-server';
import type { ApiResponse } from '../rules/requests.js';
import type { Mock } from '../rules/world.js';
import { operations } from '../support/operations.js';
import { describeHistory, type Exchange, legalOrder } from './history.js';
import { expectInvariants, expectInventory } from './invariants.js';
import { type ModelRequest, modeledOperations } from './model/response.js';
import { type Model, modelOf } from './model/state.js';
import { type Recipe, recipes } from './requests.js';
import { checkProperty } from './runs.js';
import { now, world } from './world.js';

interface Sent {
  recipe: Recipe;
  /** The number of event loop turns before the request is sent. */
  delay: number;
  bodyDelay: number;
}

test('concurrent requests get responses that are consistent with some sequential order', async () => {
  await checkProperty(
    'concurrent requests',
    fc.asyncProperty(batches(), async (sequence) => {
      await play(sequence, createMockServer({ world, now }));
    }),
    { quick: 50, long: 1000 },
  );
}, 3_600_000);

function batches(): fc.Arbitrary<Sent[][]> {
  const writes = modeledOperations.filter((id) => operations[id].method !== 'GET');
  const sent: fc.Arbitrary<Sent> = fc.record({
    recipe: fc.oneof(...writes.map((id) => recipes(id))),
    delay: fc.nat({ max: 2 }),
    bodyDelay: fc.nat({ max: 3 }),
  });
  return fc.array(fc.array(sent, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
}

/** Sends the batches sequentially, and the requests in each batch concurrently. */
async function play(sequence: readonly Sent[][], mock: MockServer): Promise<void> {
  let model = modelOf(world, now);
  for (const batch of sequence) {
    const history = await Promise.all(
      batch.map(async (sent): Promise<Exchange> => {
        const request = sent.recipe(model);
        const response = await sendSlowly(mock, request, sent);
        return { request, response, sentAt: 0, receivedAt: 1 };
      }),
    );
    // The responses to concurrent writes don't always show which write came last, but later reads do.
    for (const request of reads(mock)) {
      const response = await sendSlowly(mock, request, noDelay);
      history.push({ request, response, sentAt: 2, receivedAt: 3 });
    }
    const next = legalOrder(model, history);
    expect(next, `no order explains these responses:\n${describeHistory(history)}`).toBeDefined();
    model = next as Model;
    expectInventory(mock, model);
    expectInvariants(mock);
  }
}

/** Returns requests that read every modeled record, using a credential for the record's organization. */
function reads({ state }: Mock): ModelRequest[] {
  const tokenOf = (project: string) =>
    state.projects.get(project)?.organization_id === 'org_other' ? 'other' : 'all';
  return [
    ...state.projects.all().flatMap(({ id }): ModelRequest[] => [
      { operation: 'projects.get', token: tokenOf(id), ids: { project: id } },
      { operation: 'boards.list', token: tokenOf(id), ids: { project: id } },
    ]),
    ...state.tickets.all().map(
      ({ id, project_id }): ModelRequest => ({
        operation: 'tickets.get',
        token: tokenOf(project_id),
        ids: { ticket: id },
      }),
    ),
    ...state.documents.all().map(
      ({ id, organization_id }): ModelRequest => ({
        operation: 'documents.get',
        token: organization_id === 'org_other' ? 'other' : 'all',
        ids: { document: id },
      }),
    ),
  ];
}

const noDelay = { delay: 0, bodyDelay: 0 };

async function sendSlowly(
  mock: MockServer,
  request: ModelRequest,
  { delay, bodyDelay }: Omit<Sent, 'recipe'>,
): Promise<ApiResponse> {
  const { method, path } = operations[request.operation];
  const { baseUrl } = mock.clientOptions();
  await waitTurns(delay);
  const response = await mock.fetch(
    `${baseUrl}/api/v1${path.replace(/\{(\w+)\}/, (_, name: string) => request.ids[name] ?? '')}`,
    {
      method,
      ...(request.token !== null && { headers: { authorization: `Bearer ${request.token}` } }),
      ...(request.body !== undefined && { body: slowBody(JSON.stringify(request.body), bodyDelay) }),
      duplex: 'half',
    } as RequestInit,
  );
  const text = await response.text();
  const body = text ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, body, data: body?.data };
}

const slowBody = (text: string, delay: number) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      await waitTurns(delay);
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
