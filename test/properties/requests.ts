import fc from 'fast-check';
import type { OperationId } from 'worktrack/contract';
import { operations } from '../support/operations.js';
import type { ModelRequest } from './model/response.js';
import type { Model } from './model/state.js';
import { payloads } from './payloads.js';
import { type Named, named, Resolver } from './references.js';

/** Creates a request right before it's sent, because earlier requests can create the records it uses. */
export type Recipe = (model: Model) => ModelRequest;

/** Generates requests for one operation. Credentials vary, and most requests refer to existing records. */
export function recipes(operation: OperationId): fc.Arbitrary<Recipe> {
  const { query, body } = payloads[operation] ?? {};
  return fc
    .record({
      token: tokens,
      subject: named,
      query: query ?? fc.constant({}),
      body: body ?? nothing,
      corruption,
    })
    .map(({ token, subject, query, body, corruption }) => {
      const recipe: Recipe = (model) => {
        const resolver = new Resolver(model, token);
        const ids = idsOf(operation, subject, resolver);
        const content = body(resolver, ids);
        return {
          operation,
          token,
          ids,
          query: resolvedQuery(query, resolver, ids),
          ...(content !== undefined && { body: corrupted(content, corruption) }),
        };
      };
      // Without this method, fast-check would print the function's source code in a counterexample.
      return Object.assign(recipe, { [fc.toStringMethod]: () => operation });
    });
}

/** Returns the relative frequency of an operation. Writes are more frequent than reads. */
export const weightOf = (operation: OperationId): number => weights[operation] ?? 2;

const weights: Partial<Record<OperationId, number>> = {
  // Rarely delete a project, because that deletes most of the records in a sequence.
  'projects.delete': 1,
  'tickets.create': 24,
  'tickets.move': 24,
  'tickets.reorder': 12,
  'tickets.update': 10,
  'tickets.delete': 6,
  'tickets.list': 8,
  'notifications.send': 4,
  'projects.analytics.get': 8,
  'boards.create': 6,
  'boards.update': 8,
  'boards.delete': 6,
  'boards.reorder': 6,
  'documents.create': 8,
  'documents.update': 10,
  'documents.list': 10,
};

const nothing = fc.constant(() => undefined);

const tokens: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 20, arbitrary: fc.constant('all') },
  { weight: 4, arbitrary: fc.constant('other') },
  { weight: 1, arbitrary: fc.constantFrom('read', 'write', 'nobody', null) },
);

/** Sometimes replaces a field with a value that is probably invalid. */
const corruption = fc.oneof(
  { weight: 9, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      field: fc.nat({ max: 7 }),
      value: fc.constantFrom(null, 7, -1, 1.5, true, {}, [], [7], '', 'x'.repeat(501), ['x', null]),
    }),
  },
);

function corrupted(
  body: Record<string, unknown>,
  change: { field: number; value: unknown } | undefined,
): Record<string, unknown> {
  const names = Object.keys(body);
  const name = change && names[change.field % names.length];
  return name === undefined ? body : { ...body, [name]: change?.value };
}

function idsOf(operation: OperationId, subject: Named, at: Resolver): Record<string, string> {
  const [, parameter = ''] = /\{(\w+)\}/.exec(operations[operation].path) ?? [];
  const kinds: Record<string, (name: Named) => string> = {
    organization: at.organization,
    project: at.project,
    board: at.board,
    ticket: at.ticket,
    document: at.document,
  };
  return { [parameter]: kinds[parameter]?.(subject) ?? 'nothing' };
}

function resolvedQuery(
  query: Readonly<Record<string, string | Named | undefined>>,
  at: Resolver,
  { project }: Record<string, string>,
): Record<string, string> {
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string') resolved[name] = value;
    else if (value) resolved[name] = name === 'board_id' ? at.board(value, project) : at.project(value);
  }
  return resolved;
}
