import { describe, expect, test } from 'vitest';
import type { OperationId } from 'worktrack/contract';
import { createMockServer } from 'worktrack/mock-server';
import { RejectedRequest, rules } from '../../mock-server/rules/index.js';
import type { Rule } from '../../mock-server/rules/rule.js';
import { checkSequences } from './check-sequences.js';
import { expectContract } from './contract-responses.js';
import { now, world } from './world.js';

// The seed is fixed so that the detection of a broken rule doesn't depend on chance.
const seed = 20_260_101;

describe('random sequences', () => {
  test.each(breakages().map(({ operation, fault, breakRule }) => [operation, fault, breakRule] as const))(
    'fail if %s %s',
    async (operation, _, breakRule) => {
      const restore = replace(operation, breakRule);
      try {
        await expect(checkSequences({ numRuns: 100, seed, endOnFailure: true })).rejects.toThrow(operation);
      } finally {
        restore();
      }
    },
    60_000,
  );

  test('are reduced to a few readable steps and reported with the seed when they fail', async () => {
    const restore = replace('tickets.delete', () => () => undefined);
    try {
      const error = await checkSequences({ numRuns: 100, seed }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const { message } = error as Error;
      expect(message).toMatch(/seed: 20260101/);
      const [, steps = ''] = /Counterexample: \[([^\n]*)/.exec(message) ?? [];
      expect(steps).toMatch(/^all: tickets\.delete tkt_\d -> 204/);
    } finally {
      restore();
    }
  }, 180_000);
});

test('expectContract rejects an unknown field at any depth of a response', () => {
  const ticket = createMockServer({ world, now }).state.tickets.get('tkt_1') as object;
  const tags = [{ id: 'tag_infra', name: 'infra', color: 'red' }];

  expect(() => expectContract('tickets.get', ticket)).not.toThrow();
  expect(() => expectContract('tickets.get', { ...ticket, secret: 1 })).toThrow('.secret');
  expect(() => expectContract('tickets.list', { data: [{ ...ticket, tags }] })).toThrow('[0].tags[0].color');
  expect(() => expectContract('tickets.get', { ...ticket, position: '0' })).toThrow('tickets.get');
});

interface Breakage {
  operation: OperationId;
  fault: string;
  // biome-ignore lint/suspicious/noExplicitAny: The rules have different types.
  breakRule: (rule: any) => any;
}

const breaking = <Id extends OperationId>(
  operation: Id,
  fault: string,
  breakRule: (rule: Rule<Id>) => Rule<Id>,
): Breakage => ({ operation, fault, breakRule });

/** Returns broken versions of rules, each with a single mistake. */
function breakages(): Breakage[] {
  return [
    breaking('tickets.create', 'accepts one ticket more than the WIP limit', (rule) => (call) => {
      const board = call.state.boards.get(call.body.board_id ?? '');
      if (!board || board.wip_limit === null) return rule(call);
      const limit = (wip_limit: number | null) => {
        const row = call.state.boards.get(board.id);
        if (row) call.state.boards.put(board.id, { ...row, wip_limit });
      };
      limit(board.wip_limit + 1);
      try {
        return rule(call);
      } finally {
        limit(board.wip_limit);
      }
    }),
    breaking('tickets.move', 'ignores the position', (rule) => (call) => {
      const { position: _, ...body } = call.body;
      return rule({ ...call, body });
    }),
    breaking('tickets.delete', 'deletes nothing', () => () => undefined),
    breaking('tickets.reorder', 'accepts any list', (rule) => (call) => orElse(() => rule(call), undefined)),
    breaking('tickets.update', 'changes the title before it rejects the request', (rule) => (call) => {
      if (call.body.title !== undefined) rule({ ...call, body: { title: call.body.title } });
      return rule(call);
    }),
    breaking('documents.list', "returns every organization's documents", (rule) => (call) => {
      const pages = [...call.state.organizations.values()].map((organization) =>
        rule({ ...call, organization }),
      );
      return {
        items: pages.flatMap(({ items }) => items),
        total: pages.reduce((sum, { total }) => sum + total, 0),
      };
    }),
    breaking('boards.delete', 'deletes one of the tickets that it moves', (rule) => (call) => {
      const [ticket] = [...call.state.tickets.values()].filter(
        (row) => row.board_id === call.board.id && row.deleted_at === null,
      );
      rule(call);
      const moved = ticket && call.state.tickets.get(ticket.id);
      if (moved) rules['tickets.delete']({ ...call, ticket: moved } as never);
      return undefined;
    }),
    breaking(
      'notifications.send',
      'accepts recipients from other organizations',
      (rule) => (call) => orElse(() => rule(call), { queued: 0, sent: 1, notification_ids: ['ntf_1'] }),
    ),
    breaking('projects.analytics.get', 'never counts overdue tickets', (rule) => (call) => ({
      ...rule(call),
      overdue: 0,
    })),
    breaking('documents.update', 'keeps published_at if a document becomes a draft', (rule) => (call) => {
      const { published_at } = call.document;
      const result = rule(call);
      return { ...result, published_at: result.published_at ?? published_at };
    }),
  ];
}

function replace(operation: OperationId, breakRule: Breakage['breakRule']): () => void {
  const table = rules as Record<OperationId, unknown>;
  const original = table[operation];
  table[operation] = breakRule(original);
  return () => {
    table[operation] = original;
  };
}

function orElse<Result>(attempt: () => Result, fallback: Result): Result {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof RejectedRequest) return fallback;
    throw error;
  }
}
