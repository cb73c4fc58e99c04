import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ConformanceReport } from 'worktrack/conformance';
import type { OperationId } from 'worktrack/contract';
import {
  changes,
  check,
  checkWithDefects,
  type Defect,
  type Exchange,
  type Json,
  lists,
  nameOf,
  reversed,
} from './support/defects.js';
import { type Detected, defects } from './support/rule-defects.js';

// Each run sends hundreds of requests, some with a million characters in the body.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let rules: string[];

beforeAll(async () => {
  const { report } = await check(() => undefined);
  expect(report).toMatchObject({ failed: 0, notCheckable: 0 });
  rules = report.results.map(nameOf);
});

/** Each rule's outcome, and its message if it has one. */
const outcomesOf = ({ results }: ConformanceReport) =>
  Object.fromEntries(
    results.map((result) => [nameOf(result), { outcome: result.outcome, message: result.message }]),
  );

const operationOf = (rule: string) => rule.split(' ')[0] as OperationId;

describe('each rule', () => {
  test('each rule has a defect that it must detect', () => {
    expect(rules.toSorted()).toEqual([...defects.keys()].sort());
  });

  const rounds = Math.max(...[...defects.values()].map((detected) => detected.length));

  // Each run checks many rules, and breaks the deployment in one way for each of them.
  test.each(Array.from({ length: rounds }, (_, round) => round))(
    'each rule fails because of its defect %i',
    async (round) => {
      const tested = new Map<string, Detected[number]>();
      for (const [rule, { [round]: detected }] of defects) if (detected) tested.set(rule, detected);
      const checked = [...new Set([...tested.keys()].map(operationOf))];
      const checkedRules = rules.filter((rule) => checked.includes(operationOf(rule)));
      const report = await checkWithDefects(
        checkedRules,
        new Map([...tested].map(([rule, [defect]]) => [rule, defect])),
        checked,
      );

      const expected = checkedRules.map((rule) => {
        const [, message] = tested.get(rule) ?? [];
        return message === undefined
          ? [rule, { outcome: 'pass' }]
          : [rule, { outcome: 'fail', message: expect.stringContaining(message) }];
      });
      expect(outcomesOf(report)).toEqual(Object.fromEntries(expected));
    },
  );
});

/** Rules that check the code of an error response. A 403 response has the same status for every code. */
const errorRules = () => rules.filter((rule) => /\((400|401|404|422)\)/.test(rule));

/** Changes the body of every error response. */
const changesErrors = (change: (error: Json) => Json) => async (exchange: Exchange) => {
  const response = await exchange.send();
  return response.ok ? response : Response.json(change(await response.json()), { status: response.status });
};

describe('the error format', () => {
  const failedRules = ({ results }: ConformanceReport) => results.filter(({ outcome }) => outcome === 'fail');

  test.each([
    ['other error codes', ({ code, ...error }: Json) => ({ ...error, code: `other_${code}` })],
    ['no error codes', ({ message }: Json) => ({ message })],
  ])('all rules about errors fail if the deployment returns %s', async (_, change) => {
    const failed = failedRules((await check(changesErrors(change))).report);
    expect(failed.map(nameOf)).toEqual(errorRules());
    for (const { basis, message } of failed) {
      expect(basis).toBe('choice');
      expect(message).toMatch(/: expected error code \w+, got (other_\w+|undefined)$/);
    }
  });

  test.each([
    ['no errors by field', ({ errors: _, ...error }: Json) => error],
    [
      'only errors for fields with other names',
      ({ errors = {}, ...error }: Json) => ({
        ...error,
        errors: Object.fromEntries(
          Object.entries(errors).map(([field, messages]) => [field.replace(/^\w+/, '$&_2'), messages]),
        ),
      }),
    ],
  ])('all rules about invalid fields fail if the deployment returns %s', async (_, change) => {
    const failed = failedRules((await check(changesErrors(change))).report);
    expect(failed.map(nameOf)).toEqual(
      errorRules().filter((rule) => rule.includes('(422)') && !rule.includes('exactly one of')),
    );
    for (const { basis, message } of failed) {
      expect(basis).toBe('choice');
      expect(message).toMatch(/: the error doesn't mention \w+$/);
    }
  });

  test('a run without `choices` passes if errors are only strings', async () => {
    const { report } = await check(
      changesErrors(({ message }) => message),
      { choices: false },
    );
    expect(report).toMatchObject({ failed: 0, notCheckable: 0 });
  });
});

describe('a run passes', () => {
  test('a run passes if the deployment rejects empty strings', async () => {
    const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.includes(''));
    const { report } = await check(({ body, query }) =>
      Object.values({ ...query, ...body }).some(isEmpty)
        ? Promise.resolve(Response.json({ message: 'empty', code: 'empty' }, { status: 422 }))
        : undefined,
    );
    expect(report).toMatchObject({ failed: 0, notCheckable: 0 });
  });

  test.each<[string, Defect]>([
    ['documents', lists('documents.list', reversed)],
    [
      'tags',
      changes('documents.create', ({ tags, ...document }) => ({ ...document, tags: tags.toReversed() })),
    ],
    ['the tickets of a deleted board', reversesMovedTickets()],
  ])('a run passes if the deployment returns %s in a different order', async (_, deployment) => {
    const { report } = await check(deployment, { choices: false });
    expect(report).toMatchObject({ failed: 0, notCheckable: 0 });
  });

  test('a run without `choices` passes if the deployment rejects updates without fields before it checks scopes', async () => {
    const { report } = await check(
      ({ operation, body = {} }) =>
        operation.endsWith('.update') && Object.keys(body).length === 0
          ? Promise.resolve(Response.json({}, { status: 422 }))
          : undefined,
      { choices: false },
    );
    expect(report).toMatchObject({ failed: 0, notCheckable: 0 });
  });

  test('a run passes if the deployment adds default boards, except for two choices', async () => {
    const settings = { default_boards: [{ name: 'To do' }, { name: 'Done', is_done: true }] };
    const { report } = await check(() => undefined, {}, settings);
    expect(report).toMatchObject({ failed: 2, notCheckable: 0 });
    expect(report.results.filter(({ outcome }) => outcome === 'fail').map(nameOf)).toEqual([
      'projects.analytics.get counts total, done, open, and overdue tickets, and the tickets per board',
      'boards.list returns no boards for a new project',
    ]);
  });
});

/** Returns a board's tickets in reverse order once `boards.delete` moved them there. */
function reversesMovedTickets(): Defect {
  let wereMoved = false;
  const reverse = lists('tickets.list', reversed);
  return (exchange) => {
    if (exchange.operation === 'projects.create') wereMoved = false;
    if (exchange.operation !== 'boards.delete') return wereMoved ? reverse(exchange) : undefined;
    return exchange.send().then((response) => {
      wereMoved = response.ok;
      return response;
    });
  };
}
