import { beforeAll, describe, expect, test } from 'vitest';
import { calibrate, findDrift, formatDrift, formatDriftJUnit } from 'worktrack/conformance';
import type { Scope } from 'worktrack/contract';
import { createMockServer, type Deployment } from 'worktrack/mock-server';
import { isLong } from '../properties/runs.js';
import { connect } from '../support/clients.js';
import { createForeignDeployment, type Differences, foreign } from './support/foreign-deployment.js';
import { calibrateMock } from './support/mock-deployment.js';

describe('findDrift', () => {
  let baseline: Deployment;
  beforeAll(async () => {
    baseline = await observe(foreign).then(({ deployment }) => deployment);
  });

  const observe = (differences: Differences) =>
    calibrate({ ...createForeignDeployment(differences).options, includeRules: false });

  const changes: [change: Partial<Differences>, subject: string, before: string, after: string][] = [
    [{ documentOrder: true }, 'the order of documents', 'oldest first', 'newest first'],
    [
      { newField: true },
      'the field "estimate" of tickets.create, tickets.get, tickets.list, tickets.move, tickets.update',
      'missing',
      'number',
    ],
    [{ unknownIds: false }, 'the response to an unknown ID', 'status 403', 'status 404'],
    ...((isLong
      ? [
          [{ positions: true }, 'the first position in a list', '0', '1'],
          [{ archivedDocuments: true }, 'archived documents in lists', 'listed', 'hidden'],
          [{ unknownFields: true }, 'unknown fields in a request', 'ignored', 'rejected'],
          [{ wipLimits: false }, 'archived tickets in WIP limits', 'not counted', 'counted'],
          [{ emptyStrings: false }, 'an empty string for a required field', 'rejected', 'accepted'],
        ]
      : []) as [Partial<Differences>, string, string, string][]),
  ];

  test.each(changes)(
    'reports one change if the deployment differs in %j',
    async (change, subject, before, after) => {
      const report = findDrift(baseline, await observe({ ...foreign, ...change }));
      expect(report.changes).toMatchObject([{ subject, before, after }]);
      expect(report.notCompared.filter(({ isLost }) => isLost)).toEqual([]);
    },
  );

  test('reports no changes if the deployment is unchanged, and calibrate writes the same file', async () => {
    const observation = await observe(foreign);
    expect(JSON.stringify(observation.deployment)).toBe(JSON.stringify(baseline));
    const report = findDrift(baseline, observation);
    expect(report.changes).toEqual([]);
    expect(report.unchanged.filter(({ kind }) => kind === 'choice')).toHaveLength(33);
  });
});

// Runs the conformance kit four times.
test.runIf(isLong)(
  'findDrift reports a rule whose result has changed even if no choice describes the rule',
  async () => {
    const mock = createMockServer();
    const observe = () => calibrate({ ...mock.clientOptions(), fetch: mock.fetch });
    const { deployment } = await observe();
    mock.override('tickets.update', async ({ body }, next) => {
      const ticket = await next();
      return body.priority === 'critical' ? { ...ticket, priority: 'high' } : ticket;
    });
    expect(findDrift(deployment, await observe()).changes).toEqual([
      {
        kind: 'rule',
        subject:
          'tickets.update updates the fields, clears fields set to null, and archives the ticket (200)',
        before: 'the same as in the mock server',
        after: 'different from the mock server',
      },
    ]);
  },
  120_000,
);

describe('findDrift with missing observations', () => {
  test("doesn't compare a choice that can't be observed because the credential lacks a scope", async () => {
    const mock = createMockServer();
    const { deployment } = await calibrateMock(mock);
    const scopes: Scope[] = ['projects:read', 'projects:write', 'boards:read', 'boards:write'];
    mock.credentials.setScopes('wt_default', scopes);
    const report = findDrift(deployment, await calibrateMock(mock));
    expect(report.changes).toEqual([]);
    expect(report.notCompared).toContainEqual({
      kind: 'choice',
      subject: 'the order of tickets',
      reason: "tickets.create: the credential isn't allowed to do this (403)",
      isLost: true,
    });
    expect(report.unchanged).not.toContainEqual({ kind: 'choice', subject: 'the order of tickets' });
  });

  test("doesn't compare a choice that can't be observed because the connection fails", async () => {
    const mock = createMockServer();
    const { deployment } = await calibrateMock(mock);
    mock.faults.add({ operation: 'tickets.create', error: 'connection' });
    const report = findDrift(deployment, await calibrateMock(mock));
    expect(report.changes).toEqual([]);
    expect(report.notCompared.find(({ subject }) => subject === 'the order of tickets')?.reason).toMatch(
      /^the connection failed: /,
    );
  });

  test("doesn't compare a choice that is unknown in the baseline", async () => {
    const mock = createMockServer();
    const observed = await calibrateMock(mock);
    const baseline: Deployment = {
      ...observed.deployment,
      choices: { ...observed.deployment.choices, ticketOrder: { unknown: 'a reason' } },
    };
    expect(findDrift(baseline, observed).notCompared).toEqual([
      {
        kind: 'choice',
        subject: 'the order of tickets',
        reason: 'the baseline has no value: a reason',
        isLost: false,
      },
    ]);
  });
});

describe('a read-only run', () => {
  const createMock = () => {
    const mock = createMockServer();
    mock.add.user({ name: 'Ada', role: 'owner' });
    const board = mock.add.board({ project: mock.add.project().id });
    mock.add.ticket({ board: board.id, assignees: ['Ada'] });
    mock.add.ticket({ board: board.id });
    mock.add.document();
    return mock;
  };

  test('sends only GET requests and compares the fields of existing records', async () => {
    const mock = createMock();
    const { deployment } = await calibrateMock(createMockServer());
    const observed = await calibrateMock(mock, { readOnly: true });
    expect(new Set(mock.requests.all().map(({ method }) => method))).toEqual(new Set(['GET']));
    const report = findDrift(deployment, observed);
    expect(report.changes).toEqual([]);
    expect(report.unchanged).toContainEqual({ kind: 'shape', subject: 'the fields of tickets.get' });
    expect(report.notCompared.filter(({ isLost }) => isLost)).toEqual([]);
  });

  test('reports a field that has disappeared and a field whose type has changed', async () => {
    const mock = createMock();
    const { deployment } = await calibrateMock(mock, { readOnly: true });
    mock.override('tickets.get', async (_, next) => {
      const { creator: _creator, ...ticket } = await next();
      return { ...ticket, number: String(ticket.number) } as never;
    });
    const report = findDrift(deployment, await calibrateMock(mock, { readOnly: true }));
    expect(report.changes).toEqual([
      { kind: 'shape', subject: 'the field "creator" of tickets.get', before: 'null', after: 'missing' },
      { kind: 'shape', subject: 'the field "number" of tickets.get', before: 'number', after: 'string' },
    ]);
  });

  test.each(['Done', 'Icon'])(
    "doesn't report a field whose name is also a board's name: %s",
    async (name) => {
      const withBoard = (board: string) => {
        const mock = createMockServer();
        mock.add.board({ project: mock.add.project().id, name: board });
        mock.override('projects.analytics.get', async (_, next) => ({ ...(await next()), icon: 'star' }));
        return calibrateMock(mock, { readOnly: true });
      };
      const [before, after] = [await withBoard(name), await withBoard('Todo')];
      expect(findDrift(before.deployment, after).changes).toEqual([]);
      expect(findDrift(after.deployment, before).changes).toEqual([]);
      expect(before.deployment.shapes['projects.analytics.get']?.fields).toHaveProperty('done');
    },
  );

  test("doesn't report a change if only the records differ", async () => {
    const mock = createMock();
    const { deployment } = await calibrateMock(mock, { readOnly: true });
    const client = connect(mock);
    for (const { id } of mock.state.tickets.all()) {
      await client.tickets.update(id, { due_at: '2030-01-01T00:00:00Z', assignee_ids: [] });
    }
    const report = findDrift(deployment, await calibrateMock(mock, { readOnly: true }));
    expect(report.changes).toEqual([]);
    expect(report.notCompared).toContainEqual({
      kind: 'shape',
      subject: 'the field "due_at" of tickets.get, tickets.list',
      reason: 'it has a value in only one of the observations',
      isLost: false,
    });
  });
});

test("a report lists the changes and everything that couldn't be compared", () => {
  const report = {
    changes: [
      { kind: 'choice' as const, subject: 'the order of tickets', before: 'name', after: 'newest first' },
    ],
    notCompared: ['a', 'b', 'c', 'd'].map((subject) => ({
      kind: 'rule' as const,
      subject,
      reason: 'stopped: no',
      isLost: true,
    })),
    unchanged: [{ kind: 'shape' as const, subject: 'the fields of tickets.get' }],
  };
  expect(formatDrift(report)).toBe(
    [
      '✗ the order of tickets',
      '    before: name',
      '    now:    newest first',
      '– not compared: 4 rules',
      '    stopped: no',
      '1 unchanged, 1 changed, 4 not compared',
    ].join('\n'),
  );
  const junit = formatDriftJUnit(report);
  expect(junit).toContain('tests="6" failures="1" skipped="4"');
  expect(junit).toContain('<failure message="before: name; now: newest first"/>');
});
