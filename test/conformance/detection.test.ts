import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { ConformanceReport } from 'worktrack/conformance';
import type { OperationId } from 'worktrack/contract';
import type { Scenario } from '../../addons/conformance/scenario.js';
import { scenarios } from '../../addons/conformance/scenarios/index.js';
import { groupBy } from '../../addons/shared/lists.js';
import { isLong } from '../properties/runs.js';
import {
  changes,
  check,
  type Defect,
  type Exchange,
  failureOf,
  type Json,
  lists,
  nameOf,
  reversed,
} from './support/defects.js';
import { generateDefects, type RecordedExchange } from './support/generate-defects.js';

// Each run sends hundreds of requests, some with a million characters in the body.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let rules: string[];

beforeAll(async () => {
  const { report } = await check(() => undefined);
  expect(report).toMatchObject({ failed: 0, notCheckable: 0 });
  rules = report.results.map(nameOf);
});

// `npm run test:long` and Stryker try all defects. `npm run test:all` tries a quarter of the defects.
// To update the file, run `npm run test:long -- test/conformance/detection.test.ts -u`.
const triesAll = isLong || process.env.STRYKER_MUTATOR_WORKER !== undefined;

test('each rule detects the defects in detected-defects.snapshot.txt', async () => {
  /** The operations of the rules that have the same title and detect the same defects. */
  const found = new Map<string, OperationId[]>();
  for (const [turn, scenario] of scenarios.entries()) {
    const { operation, title } = scenario;
    const all = await defectsOf(scenario);
    const defects = all.filter((_, index) => triesAll || index % 4 === turn % 4);
    const detected = await failuresByDefect(scenario, defects);
    if (!triesAll) {
      const rule = `${operation} ${title}`;
      const expected = new Map(stored.get(rule));
      for (const defect of all) if (!defects.includes(defect)) expected.delete(defect[0]);
      expect(detected, rule).toEqual(expected);
      continue;
    }
    const ofOperation = [...detected.keys()].filter((name) => /^\d/.test(name));
    expect(ofOperation.length, `defects that "${title}" detects`).toBeGreaterThan(0);
    const failures = [...groupBy([...detected.keys()].sort(), (name) => detected.get(name))];
    const lines = failures.map(([failure, names]) => `  ${failure} ← ${names.join(', ')}`);
    const text = [title, ...lines].join('\n');
    found.set(text, [...(found.get(text) ?? []), operation]);
  }
  if (!triesAll) return expect(stored.size).toBe(scenarios.length);
  const rules = [...found].map(([text, operations]) => text.replace(/$/m, ` ← ${operations.join(', ')}`));
  await expect(`${rules.join('\n')}\n`).toMatchFileSnapshot(snapshotFile);
}, 300_000);

const snapshotFile = './detected-defects.snapshot.txt';

/** The failures in the file, by rule and defect. */
const stored = new Map<string, Map<string, string>>();
const snapshot = readFileSync(new URL(snapshotFile, import.meta.url), 'utf8').trimEnd();
for (const rules of snapshot.split(/\n(?! )/)) {
  const lines = rules.split('\n').map((line) => line.trim().split(' ← '));
  const [[title, operations = ''] = [], ...failures] = lines;
  const byDefect = failures.flatMap(([failure = '', names = '']) =>
    names.split(', ').map((name) => [name, failure] as const),
  );
  for (const operation of operations.split(', ')) stored.set(`${operation} ${title}`, new Map(byDefect));
}

type NamedDefect = [name: string, defect: Defect];

/** Generates a rule's defects from the requests that it sends to a correct deployment. */
async function defectsOf(scenario: Scenario): Promise<NamedDefect[]> {
  const exchanges: RecordedExchange[] = [];
  const failure = await failureOf(scenario, async (exchange) => {
    const response = await exchange.send();
    const body = response.status === 204 ? {} : await response.clone().json();
    exchanges.push({ ...exchange, status: response.status, data: body.data });
    return response;
  });
  expect(failure).toBeUndefined();
  return [...generateDefects(scenario.operation, exchanges)];
}

/** Returns why the rule failed, for each defect that it detects. */
async function failuresByDefect(scenario: Scenario, defects: readonly NamedDefect[]) {
  const detected = new Map<string, string>();
  for (const [name, defect] of defects) {
    const failure = await failureOf(scenario, defect);
    if (failure !== undefined) detected.set(name, normalized(failure, scenario.operation));
  }
  return detected;
}

/**
 * Removes the rule's own operation, the actual status, and details that depend on the run or on the mock server's
 * messages.
 */
const normalized = (failure: string, operation: OperationId) =>
  failure
    .replace(/ \(\w+ \/api\S+\)/, '')
    .replace(`${operation}: `, '')
    .replace(/(expected \d{3}\b.*), got \d{3}(: [\s\S]*)?$/, '$1')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'ID')
    .slice(0, 200);

/** Rules that check an error response's code. For 403 responses, the rules check only the status. */
const errorRules = () => rules.filter((rule) => /\((400|401|404|422)\)/.test(rule));

/** Changes the body of every error response. */
const changesErrors = (change: (error: Json) => Json) => async (exchange: Exchange) => {
  const response = await exchange.send();
  return response.ok ? response : Response.json(change(await response.json()), { status: response.status });
};

describe('a conformance run against a deployment with a different error format', () => {
  const failedRules = ({ results }: ConformanceReport) => results.filter(({ outcome }) => outcome === 'fail');

  test('fails every rule about errors if the error codes are different', async () => {
    const change = ({ code, ...error }: Json) => ({ ...error, code: `other_${code}` });
    const failed = failedRules((await check(changesErrors(change))).report);
    expect(failed.map(nameOf)).toEqual(errorRules());
    for (const { basis, message } of failed) {
      expect(basis).toBe('optional');
      expect(message).toMatch(/: expected error code \w+, got other_\w+$/);
    }
  });

  test.each([
    ['error codes', ({ code: _, ...error }: Json) => error, 'no "code"'],
    ['errors by field', ({ errors: _, ...error }: Json) => error, 'no "errors"'],
    ['anything but a message', ({ message }: Json) => ({ message }), 'no "code" and no "errors"'],
  ])('fails only one rule if the errors never contain %s', async (_, change, missing) => {
    const failed = failedRules((await check(changesErrors(change))).report);
    expect(failed).toMatchObject([
      {
        operation: 'projects.create',
        title: 'returns a code and the invalid fields in error bodies',
        basis: 'optional',
        message: `the error body has ${missing}`,
      },
    ]);
  });

  test('fails only the rules about 404 errors if 404 errors have no code', async () => {
    const { report } = await check(async (exchange) => {
      const response = await exchange.send();
      return response.status === 404 ? Response.json({ message: 'Not found' }, { status: 404 }) : response;
    });
    expect(failedRules(report).map(nameOf)).toEqual(errorRules().filter((rule) => rule.includes('(404)')));
  });

  test('fails every rule about invalid fields if the field names in errors are different', async () => {
    const change = ({ errors = {}, ...error }: Json) => ({
      ...error,
      errors: Object.fromEntries(
        Object.entries(errors).map(([field, messages]) => [field.replace(/^\w+/, '$&_2'), messages]),
      ),
    });
    const failed = failedRules((await check(changesErrors(change))).report);
    expect(failed.map(nameOf)).toEqual(
      errorRules().filter((rule) => rule.includes('(422)') && !rule.includes('exactly one of')),
    );
    for (const { basis, message } of failed) {
      expect(basis).toBe('optional');
      expect(message).toMatch(/: the error doesn't mention \w+$/);
    }
  });
});

describe('a conformance run', () => {
  test.each<[string, includeOptional: boolean, Defect]>([
    [
      'rejects empty strings',
      true,
      ({ body, query }) => {
        const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.includes(''));
        return Object.values({ ...query, ...body }).some(isEmpty) ? rejected() : undefined;
      },
    ],
    [
      'rejects empty updates before it checks the scope',
      false,
      ({ operation, body = {} }) =>
        operation.endsWith('.update') && Object.keys(body).length === 0 ? rejected() : undefined,
    ],
    ['returns plain strings as errors', false, changesErrors(({ message }) => message)],
    ['returns documents in a different order', false, lists('documents.list', reversed)],
    [
      'returns tags in a different order',
      false,
      changes('documents.create', ({ tags, ...document }) => ({ ...document, tags: tags.toReversed() })),
    ],
    ['returns the tickets of a deleted board in a different order', false, reversesMovedTickets()],
  ])('passes if the deployment %s (includeOptional: %j)', async (_, includeOptional, deployment) => {
    const { report } = await check(deployment, { includeOptional });
    expect(report).toMatchObject({ failed: 0, notCheckable: 0 });
  });

  test('fails only two rules if the deployment adds default boards', async () => {
    const settings = { default_boards: [{ name: 'To do' }, { name: 'Done', is_done: true }] };
    const { report } = await check(() => undefined, {}, settings);
    expect(report).toMatchObject({ failed: 2, notCheckable: 0 });
    expect(report.results.filter(({ outcome }) => outcome === 'fail').map(nameOf)).toEqual([
      'projects.analytics.get counts total, done, open, and overdue tickets, and the tickets per board',
      'boards.list returns no boards for a new project',
    ]);
  });
});

const rejected = async () => Response.json({ message: 'empty', code: 'empty' }, { status: 422 });

/** Returns the target board's tickets in reverse order after `boards.delete` has moved tickets to it. */
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
