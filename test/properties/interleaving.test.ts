import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { endpoints, everyOperation } from '../contract/endpoints.js';
import { type Answer, origin } from '../rules/support.js';
import type { Mock } from '../rules/world.js';
import { expectInventory, expectSound } from './invariants.js';
import type { ModelRequest } from './model/answer.js';
import { type Model, modelOf } from './model/state.js';
import { type Recipe, recipes } from './requests.js';
import { runs } from './runs.js';
import { expectAgreement } from './step.js';
import { now, world } from './world.js';

interface Sent {
  recipe: Recipe;
  /** Turns of the event loop that pass before the request goes out, and before its body does. */
  delay: number;
  bodyDelay: number;
}

describe('requests at the same time', () => {
  test('are answered as if they had come one after another, in some order', async () => {
    const writes = everyOperation.filter((id) => endpoints[id].method !== 'GET');
    const sent: fc.Arbitrary<Sent> = fc.record({
      recipe: fc.oneof(...writes.map((id) => recipes(id))),
      delay: fc.nat({ max: 2 }),
      bodyDelay: fc.nat({ max: 3 }),
    });
    const batches = fc.array(fc.array(sent, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, async (sequence) => {
        const mock = createMockServer({ world, now });
        let model = modelOf(world, now);
        for (const batch of sequence) {
          const requests = batch.map(({ recipe }) => recipe(model));
          const answers = await Promise.all(
            requests.map((request, index) => sendSlowly(mock, request, batch[index] as Sent)),
          );
          const next = oneAfterAnother(model, requests, answers);
          expect(next, `no order explains these answers:\n${inWords(requests, answers)}`).toBeDefined();
          model = next as Model;
          expectInventory(mock, model);
          expectSound(mock);
        }
      }),
      { numRuns: runs({ quick: 100, long: 3000 }) },
    );
  }, 3_600_000);
});

/** The model after the requests in an order in which it gives the same answers, if there is one. */
function oneAfterAnother(
  model: Model,
  requests: readonly ModelRequest[],
  answers: readonly Answer[],
  left: readonly number[] = [...requests.keys()],
): Model | undefined {
  if (left.length === 0) return model;
  for (const index of left) {
    const next = structuredClone(model);
    try {
      expectAgreement(next, requests[index] as ModelRequest, answers[index] as Answer);
    } catch {
      continue;
    }
    const rest = left.filter((other) => other !== index);
    const end = oneAfterAnother(next, requests, answers, rest);
    if (end) return end;
  }
  return undefined;
}

async function sendSlowly(mock: Mock, request: ModelRequest, { delay, bodyDelay }: Sent): Promise<Answer> {
  const { method, path } = endpoints[request.operation];
  await turns(delay);
  const response = await mock.fetch(
    `${origin}/api/v1${path.replace(/\{(\w+)\}/, (_, name: string) => request.ids[name] ?? '')}`,
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
      await turns(delay);
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const inWords = (requests: readonly ModelRequest[], answers: readonly Answer[]) =>
  requests
    .map(
      (request, index) =>
        `${JSON.stringify(request)} -> ${answers[index]?.status} ${answers[index]?.body?.code ?? ''}`,
    )
    .join('\n');
