import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidRequestError, UnprocessableError, Worktrack } from 'worktrack';
import type { OperationId } from 'worktrack/contract';
import { createMockServer } from 'worktrack/mock-server';
import { call, own } from '../rules/requests.js';
import { serve } from '../rules/world.js';
import { everyOperation, operations } from '../support/operations.js';
import { checkProperty } from './runs.js';

const withBody = everyOperation.filter((id) => Object.keys(operations[id].body).length > 0);

describe('the client and the server', () => {
  test.each(withBody)(
    'accept and reject the same bodies for %s',
    async (operation) => {
      await checkProperty(
        `round trip of ${operation}`,
        fc.asyncProperty(anyBody(operation), async (body) => {
          const response = await call(serve(), operation, { body });
          const valid = !['validation_failed', 'invalid_url'].includes(response.body?.code);
          const mock = serve();
          const client = new Worktrack({ ...mock.clientOptions({ token: 'wt_acme' }), fetch: mock.fetch });
          const outcome = await Promise.resolve(operations[operation].call(client, own, body)).then(
            () => 'done',
            (error: unknown) => error,
          );
          expect(outcome instanceof InvalidRequestError, JSON.stringify(response.body)).toBe(!valid);
          if (outcome instanceof InvalidRequestError) {
            expect(Object.keys(outcome.fieldErrors).sort()).toEqual(Object.keys(response.body.errors).sort());
          } else if (outcome !== 'done') expect(outcome).toBeInstanceOf(UnprocessableError);
        }),
        { quick: 20, long: 300 },
      );
    },
    3_600_000,
  );

  test('preserve all fields of a ticket', async () => {
    await checkProperty(
      'round trip of tickets',
      fc.asyncProperty(
        fc.record({
          title: fc.string({ unit: 'binary', maxLength: 250 }),
          description_html: fc.option(fc.string({ unit: 'grapheme' })),
          due_at: fc.option(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })),
        }),
        async (fields) => {
          const mock = createMockServer();
          const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
          const project = await client.projects.create({ name: 'x', key: 'x' });
          const board = await client.boards.create(project.id, { name: 'x' });
          const { id } = await client.tickets.create(project.id, { ...fields, board_id: board.id });
          const ticket = await client.tickets.get(id);
          expect(ticket).toMatchObject({
            title: fields.title,
            description_html: fields.description_html,
            due_at: fields.due_at?.toISOString() ?? null,
          });
        },
      ),
      { quick: 30, long: 1000 },
    );
  }, 3_600_000);
});

/** Generates bodies by replacing up to three fields of the valid example with random values. */
function anyBody(operation: OperationId): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(operations[operation].body);
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      1,
      -1,
      1.5,
      '',
      'x',
      [],
      ['x'],
      [null],
      {},
      'normal',
      'draft',
      '/app',
    ),
    fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01', '2026-06-31T00:00:00Z', '2026-12-31T23:59:60Z'),
    fc.integer({ min: 0, max: 520 }).map((length) => '\u{1F680}'.repeat(length)),
    fc.array(fc.string(), { maxLength: 30 }),
    fc.jsonValue(),
  );
  return fc
    .dictionary(fc.constantFrom(...names), value, { maxKeys: 3, noNullPrototype: true })
    .map((changes) => ({ ...operations[operation].example, ...changes }));
}
