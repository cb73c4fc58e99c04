import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { setupServer } from 'msw/node';
import { afterEach, describe, it, vi } from 'vitest';
import { Worktrack, WorktrackError } from 'worktrack';
import {
  allOrNothing,
  type Check,
  type CheckContext,
  converges,
  type ExploreOptions,
  exploreFaults,
  keepsInterference,
  noDuplicates,
  noUnhandledRejections,
  sameStateAsCleanRun,
  succeeds,
  type Workflow,
} from 'worktrack/explore';
import { expect } from 'worktrack/testing/vitest';
import { interferenceKinds } from '../../../addons/explore/interference.js';
import { root } from '../../../tools/entries.js';
import { start, titles } from './support/start.js';

const passes: Check = () => {};

/** Creates each ticket, and retries up to three times after any error. */
const naive =
  ({ project, todo }: ReturnType<typeof start>): Workflow =>
  async ({ client }) => {
    for (const title of titles) {
      for (let attempt = 0; ; attempt++) {
        try {
          await client.tickets.create(project, { board_id: todo, title });
          break;
        } catch (error) {
          if (attempt === 3) throw error;
        }
      }
    }
  };

/** Searches before each create, and again after a create with an unknown outcome. */
const careful =
  ({ project, todo }: ReturnType<typeof start>): Workflow =>
  async ({ client }) => {
    const find = async (title: string) =>
      (await client.tickets.list(project, { q: title }).toArray({ limit: 10 })).find(
        (ticket) => ticket.title === title,
      );
    for (const title of titles) {
      if (await find(title)) continue;
      await client.tickets.create(project, { board_id: todo, title }).catch(async (error) => {
        if (!(error instanceof WorktrackError) || error.outcome === 'rejected') throw error;
        if (!(await find(title))) throw error;
      });
    }
  };

describe('exploreFaults', () => {
  it('finds duplicates if a job retries after any error', async () => {
    const server = start();
    const report = await exploreFaults(server.mock, naive(server), { check: noDuplicates() });

    expect(report.requests.map(({ operation }) => operation)).toEqual(Array(3).fill('tickets.create'));
    expect(report.failed.map(({ id }) => id)).toEqual(
      [1, 2, 3].flatMap((number) =>
        ['response_lost', 'truncated', 'malformed', 'crash_before', 'crash_after']
          // If the process crashes before the first ticket exists, no duplicate is created.
          .filter((kind) => kind !== 'crash_before' || number > 1)
          .map((kind) => `${kind}:tickets.create:${number}`),
      ),
    );
    expect(report).toMatchObject({ runs: 1 + 3 * 13, skipped: 0, survived: false });
  });

  it('finds no problems in a job that searches for a record before it creates one', async () => {
    const server = start();
    const report = await exploreFaults(server.mock, careful(server), {
      check: [noDuplicates(), converges(), noUnhandledRejections()],
    });
    expect(report).toSurvive();
    expect(report.runs).toBe(1 + 6 * 13);
  });

  it('finds the same problems in each exploration of the same job', async () => {
    const server = start();
    const options = { check: [noDuplicates(), allOrNothing()], depth: 2, maxRuns: 60 } as const;
    const explore = async (randomSeed = 7) => {
      const report = await exploreFaults(server.mock, naive(server), { ...options, randomSeed });
      return { ...report, durationMs: 0 };
    };
    const first = await explore();
    expect(await explore()).toEqual(first);
    expect((await explore(8)).failed.map(({ id }) => id)).not.toEqual(first.failed.map(({ id }) => id));
  });

  it('prints code that reproduces each failed run', async () => {
    const server = start();
    const { mock } = server;
    // The request number of the second failure includes the retries caused by the first failure.
    const job: Workflow = async ({ client }) => {
      const create = (title: string) =>
        client.tickets.create(server.project, { board_id: server.todo, title }, { retry: 0 });
      for (const title of titles) await create(title).catch(() => create(title).catch(() => {}));
    };
    const report = await exploreFaults(mock, job, { check: sameStateAsCleanRun(), depth: 2, maxRuns: 80 });
    const options = { check: sameStateAsCleanRun() };
    const titlesAfter = () => mock.state.tickets.all().map(({ title }) => title);
    const snapshot = mock.snapshot();
    expect(report.failed.filter(({ failures }) => failures.length === 2).length).toBeGreaterThan(10);
    for (const { reproduction, failures, problems, id } of report.failed) {
      const replayed = await exploreFaults(mock, job, { ...options, replay: id });
      expect(replayed.failed).toMatchObject([{ id, problems }]);
      if (reproduction.includes('replay') || failures.some(({ kind }) => kind === 'slow')) continue;
      let expected: string[] = [];
      const read = ({ failures: happened }: CheckContext) => {
        if (happened.length > 0) expected = titlesAfter();
      };
      await exploreFaults(mock, job, { check: read, replay: id });
      new Function('mock', reproduction)(mock);
      await job({
        client: new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch }),
        mock,
        signal: new AbortController().signal,
      });
      expect(titlesAfter(), id).toEqual(expected);
      mock.restore(snapshot);
      mock.faults.clear();
    }
  });

  it('skips a pair of failures if one of them causes the problem by itself', async () => {
    const server = start();
    const job: Workflow = async ({ client }) => {
      const create = (title: string) =>
        client.tickets.create(server.project, { board_id: server.todo, title }, { retry: 0 });
      // This job can handle one rejected request per ticket.
      for (const title of titles) await create(title).catch(() => create(title));
    };
    const options: ExploreOptions = { check: succeeds(), kinds: ['status_503', 'revoked'], depth: 2 };
    const report = await exploreFaults(server.mock, job, options);
    expect(report.failed.map(({ id }) => id)).toEqual([
      'revoked:tickets.create:1',
      'revoked:tickets.create:2',
      'revoked:tickets.create:3',
      'status_503:tickets.create:1+status_503:tickets.create:2',
      'status_503:tickets.create:1+revoked:tickets.create:4',
      'status_503:tickets.create:2+status_503:tickets.create:3',
      'status_503:tickets.create:2+revoked:tickets.create:4',
      'status_503:tickets.create:3+status_503:tickets.create:4',
      'status_503:tickets.create:3+revoked:tickets.create:4',
    ]);
    const { failed } = await exploreFaults(server.mock, job, { ...options, kinds: ['status_503'] });
    expect(failed).toHaveLength(3);
  });

  it('stops after maxRuns runs or when the timeout expires', async () => {
    const server = start();
    const check = passes;
    const limited = await exploreFaults(server.mock, naive(server), { check, maxRuns: 10 });
    expect(limited).toMatchObject({ runs: 10, skipped: 30 });
    const late = await exploreFaults(server.mock, naive(server), { check, timeout: 0.001 });
    expect(late).toMatchObject({ runs: 1, skipped: 39 });
    expect(String(late)).toBe('The workflow survived 1 of 1 runs. 39 possible runs were skipped.');
  });

  it('injects a failure into only the planned request, even if requests are concurrent', async () => {
    const server = start();
    const { mock, project, todo } = server;
    const job: Workflow = ({ client }) =>
      Promise.allSettled(
        titles.map((title) => client.tickets.create(project, { board_id: todo, title }, { retry: 0 })),
      );
    const missing: string[] = [];
    const check: Check = ({ after, failures }) => {
      const found = after.tickets?.map(({ title }) => title);
      if (failures.length > 0) missing.push(titles.filter((title) => !found?.includes(title)).join());
    };
    await exploreFaults(mock, job, { check, kinds: ['status_500', 'connection'] });
    expect(missing).toEqual(['Fuel', 'Fuel', 'Doors', 'Doors', 'Radio', 'Radio']);
  });

  it('injects failures into the requests of a client that the job creates itself', async () => {
    const server = start();
    const { mock } = server;
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch, logger: undefined });
    const job: Workflow = () => naive(server)({ client } as never);
    const report = await exploreFaults(server.mock, job, { check: noDuplicates(), kinds: ['crash_after'] });
    expect(report.failed).toHaveLength(3);
    for (const { requests } of report.failed) expect(requests.length).toBeGreaterThan(3);
  });

  it('reverts all changes that the workflow made to the server', async () => {
    const { mock, project } = start();
    const job: Workflow = async ({ client }) => {
      mock.faults.add({ operation: 'boards.list', status: 503, times: 1 });
      mock.credentials.add({ token: 'wt_other' });
      mock.override('projects.list', () => []);
      await client.boards.list(project);
    };
    const report = await exploreFaults(mock, job, {
      check: succeeds(),
      kinds: ['status_500', 'rate_limited'],
    });
    expect(report).toSurvive();
    expect(report.requests).toHaveLength(2);
    expect(mock.faults.list()).toEqual([]);
    expect(mock.state.credentials.all()).toHaveLength(1);
  });

  it('explores requests that are sent through MSW', async () => {
    const server = start();
    const msw = setupServer(...server.mock.handlers);
    msw.listen(server.mock.mswOptions);
    try {
      const job: Workflow = () =>
        naive(server)({ client: new Worktrack(server.mock.clientOptions()) } as never);
      const { failed } = await exploreFaults(server.mock, job, { check: noDuplicates() });
      const direct = await exploreFaults(server.mock, naive(server), { check: noDuplicates() });
      expect(failed.map(({ id }) => id)).toEqual(direct.failed.map(({ id }) => id));
    } finally {
      msw.close();
    }
  });

  describe('a crash', () => {
    it("leaves the request without a response and restarts the workflow from the server's current state", async () => {
      const { mock, project, todo } = start();
      const events: string[] = [];
      const job: Workflow = async ({ client, signal }) => {
        events.push('start');
        signal.addEventListener('abort', () => events.push('end'));
        const { total } = await client.tickets.list(project);
        events.push(`found ${total}`);
        await client.tickets.create(project, { board_id: todo, title: 'Fuel' }).catch(() => {});
        events.push('created');
      };
      const options: ExploreOptions = { check: passes, replay: 'crash_after:tickets.create:1' };
      await exploreFaults(mock, job, options);
      const clean = ['start', 'found 0', 'created', 'end'];
      expect(events).toEqual([...clean, 'start', 'found 0', 'end', 'start', 'found 1', 'created', 'end']);
      events.length = 0;
      await exploreFaults(mock, job, { ...options, replay: 'crash_before:tickets.create:1' });
      expect(events).toEqual([...clean, 'start', 'found 0', 'end', ...clean]);
    });

    it("stops the crashed process's concurrent requests and timers", async () => {
      const { mock, project, todo } = start();
      const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
      const create = (title: string) => client.tickets.create(project, { board_id: todo, title });
      let processes = 0;
      const job: Workflow = async () => {
        const name = `process ${++processes}`;
        setInterval(() => create(`${name} timer`), 10);
        await Promise.all([create(`${name} a`).then(() => create(`${name} c`)), create(`${name} b`)]);
      };
      const created: string[] = [];
      const check: Check = ({ after, failures }) => {
        if (failures.length > 0) created.push(...(after.tickets ?? []).map(({ title }) => String(title)));
      };
      await exploreFaults(mock, job, { check, replay: 'crash_before:tickets.create:2' });
      expect(created).toEqual(['process 2 a', 'process 3 a', 'process 3 b', 'process 3 c']);
    });

    it("doesn't call beforeRun again before the workflow restarts", async () => {
      const { mock, project, todo } = start();
      let ledger = new Set<string>();
      const job: Workflow = async ({ client }) => {
        for (const title of titles) {
          if (ledger.has(title)) continue;
          ledger.add(title);
          await client.tickets.create(project, { board_id: todo, title });
        }
      };
      const options: ExploreOptions = {
        check: sameStateAsCleanRun(),
        kinds: ['crash_before', 'crash_after'],
      };
      const beforeRun = () => {
        ledger = new Set();
      };
      const { failed } = await exploreFaults(mock, job, { ...options, beforeRun });
      expect(failed.map(({ id, difference }) => [id, difference])).toEqual([
        ['crash_before:tickets.create:1', '- ticket "Fuel"'],
        ['crash_before:tickets.create:2', '- ticket "Doors"'],
        ['crash_before:tickets.create:3', '- ticket "Radio"'],
      ]);
      // Without `beforeRun`, the workflow does nothing in later runs.
      const shared = await exploreFaults(mock, job, options).catch((error) => error);
      expect(String(shared)).toContain('the workflow sent no requests to the mock server');
    });
  });

  describe('interference from another user', () => {
    const kinds = interferenceKinds;

    it('happens between two requests, and checks can see what the other user changed', async () => {
      const { mock, project, todo, done } = start();
      const seen: unknown[] = [];
      const job: Workflow = async ({ client }) => {
        const { id } = await client.tickets.create(project, { board_id: todo, title: 'Fuel' });
        const { title, board_id, archived_at } = (await client.tickets.get(id).catch(() => undefined)) ?? {};
        seen.push(title && [title, board_id, archived_at !== null]);
      };
      const changes: unknown[] = [];
      const check: Check = ({ interference, failures: [failure] }) => {
        if (failure?.request.index === 0) changes.push([interference?.kind, interference?.changed]);
      };
      const report = await exploreFaults(mock, job, { check, kinds });
      expect(seen.slice(1, 7)).toEqual([
        undefined,
        ['Fuel', done, false],
        ['Fuel (edited)', todo, false],
        ['Fuel', todo, true],
        ['Fuel', todo, false],
        ['Fuel', todo, false],
      ]);
      expect(changes).toEqual([
        ['record_deleted', []],
        ['record_moved', ['board_id']],
        ['record_edited', ['title']],
        ['record_archived', ['archived_at']],
        ['board_filled', ['wip_limit']],
        ['project_archived', ['archived_at']],
      ]);
      expect(report.runs).toBe(1 + 2 * kinds.length);
    });

    it("isn't reported as a change made by the workflow", async () => {
      const { mock, project, todo, done } = start();
      const { id } = mock.add.ticket({ board: todo, title: 'Fuel' });
      const job: Workflow = async ({ client }) => {
        await client.tickets.list(project).toArray({ limit: 10 });
        await client.tickets.create(project, { board_id: done, title: 'Doors' });
      };
      const check = [sameStateAsCleanRun(), allOrNothing(), keepsInterference()];
      expect(await exploreFaults(mock, job, { check, kinds })).toSurvive();
      // This job overwrites another user's change.
      const overwrites: Workflow = async ({ client }) => {
        const ticket = await client.tickets.get(id);
        await client.tickets.update(id, { title: ticket.title, priority: 'high' });
      };
      const report = await exploreFaults(mock, overwrites, { check: keepsInterference(), kinds });
      expect(report.failed.map(({ id }) => id)).toEqual(['record_edited:tickets.get:1']);
      expect(String(report.failed[0]?.problems[0]?.error)).toContain("undid another user's change to title");
    });

    it('may be undone by a job that creates a deleted record again', async () => {
      const { mock, project, todo } = start();
      const job: Workflow = ({ client }) =>
        client.tickets.findOrCreate(
          project,
          { board_id: todo, title: 'Fuel' },
          { q: 'Fuel', match: ({ title }) => title === 'Fuel' },
        );
      const options = { check: [converges(), allOrNothing()], kinds: ['record_deleted'] as const };
      expect(await exploreFaults(mock, job, options)).toSurvive();
    });

    it('also affects documents', async () => {
      const { mock } = start();
      const job: Workflow = async ({ client }) => {
        const { id } = await client.documents.create({ title: 'Plan' });
        await client.documents.update(id, { title: 'Plan B' });
      };
      const { failed } = await exploreFaults(mock, job, { check: [succeeds(), keepsInterference()], kinds });
      expect(failed.map(({ id, problems }) => [id, problems.map(({ check }) => check)])).toEqual([
        ['record_deleted:documents.create:1', ['succeeds']],
        ['record_edited:documents.create:1', ['keepsInterference']],
      ]);
    });
  });

  describe('the checks', () => {
    it('are reported only once if they fail on every run, and the other checks still run', async () => {
      const server = start();
      const report = await exploreFaults(server.mock, naive(server), {
        check: [noDuplicates(), converges()],
        kinds: ['response_lost'],
      });
      expect(report.failed.map(({ id, problems }) => [id, problems.map(({ check }) => check)])).toEqual([
        ['', ['converges']],
        ...[1, 2, 3].map((number) => [`response_lost:tickets.create:${number}`, ['noDuplicates']]),
      ]);
      const only = await exploreFaults(server.mock, naive(server), { check: converges() });
      expect(only).toMatchObject({ runs: 1, survived: false });
    });

    it('are reported by name even if the code is minified', async () => {
      const result = await build({
        stdin: { contents: `export * from './addons/explore/checks.ts'`, resolveDir: root },
        bundle: true,
        minify: true,
        format: 'esm',
        write: false,
      });
      const code = Buffer.from(result.outputFiles[0]?.contents ?? []).toString('base64');
      const minified = await import(`data:text/javascript;base64,${code}`);
      const { named: _, ...checks } = await import('../../../addons/explore/checks.js');
      for (const name of Object.keys(checks)) expect(minified[name]().name).toBe(name);
    });

    it('can throw values of any type', async () => {
      const { mock } = start();
      const cyclic = new Error('cyclic');
      cyclic.cause = cyclic;
      const unusual = Object.assign(new Error('unusual'), { message: 42 });
      const unreadable = Object.defineProperty(new Error('unreadable'), 'message', {
        get() {
          throw new Error('no message');
        },
      });
      for (const thrown of ['gone', undefined, Object.create(null), cyclic, unusual, unreadable]) {
        const check: Check = ({ failures }) => {
          if (failures.length > 0) throw thrown;
        };
        const job: Workflow = ({ client }) => client.projects.list();
        const report = await exploreFaults(mock, job, { check, kinds: ['malformed'] });
        expect(report.failed).toHaveLength(1);
        expect(String(report)).toMatch(
          /→ check: (gone|undefined|Error|cyclic: cyclic|42|an error without a readable message)/,
        );
        expect(JSON.parse(JSON.stringify(report))).toMatchObject({ survived: false, runs: 2 });
      }
    });

    it("fail if they don't finish", async () => {
      const { mock } = start();
      const check: Check = ({ failures }) => (failures.length > 0 ? new Promise(() => {}) : undefined);
      const job: Workflow = ({ client }) => client.projects.list();
      const report = await exploreFaults(mock, job, { check, kinds: ['slow'], runTimeout: 500 });
      expect(String(report)).toContain("check: the check didn't finish within 500 ms");
    });

    it('receive the state that the run left behind, even if an earlier check runs the workflow again', async () => {
      const server = start();
      const counts: number[] = [];
      const again: Check = async ({ rerun, mock }) => {
        const { after } = await rerun();
        expect(after.tickets?.length).toBe(mock.state.tickets.all().length);
      };
      const count: Check = ({ mock }) => {
        counts.push(mock.state.tickets.all().length, mock.requests.length);
      };
      await exploreFaults(server.mock, naive(server), {
        check: [again, again, count],
        kinds: ['status_503'],
      });
      expect(counts).toEqual([3, 3, 3, 4, 3, 4, 3, 4]);
    });

    it('detect unhandled rejections', async () => {
      const { mock, project, todo } = start();
      const job: Workflow = async ({ client }) => {
        void client.tickets.create(project, { board_id: todo, title: 'Fuel' }).then(() => {});
        await sleep(60_000);
      };
      const check = noUnhandledRejections();
      const { failed } = await exploreFaults(mock, job, { check, kinds: ['status_500'] });
      expect(failed.map(({ id }) => id)).toEqual(['status_500:tickets.create:1']);
    });
  });

  describe('a workflow that never finishes', () => {
    it('fails the run if it waits forever', async () => {
      const { mock } = start();
      const job: Workflow = async ({ client }) => {
        await client.projects.list().catch(() => new Promise(() => {}));
      };
      const report = await exploreFaults(mock, job, { check: passes, kinds: ['revoked'], runTimeout: 500 });
      expect(String(report)).toContain("the workflow didn't finish within 500 ms");
    });

    it('fails the run if it retries forever', async () => {
      const { mock } = start();
      const job: Workflow = async ({ client }) => {
        while (!(await client.projects.list().catch(() => undefined)));
      };
      const report = await exploreFaults(mock, job, { check: passes, kinds: ['revoked', 'status_500'] });
      expect(report.failed.map(({ id }) => id)).toEqual(['revoked:projects.list:1']);
      expect(String(report)).toContain('the workflow sent more than 120 requests');
    });
  });

  describe('with invalid input', () => {
    it('rejects a workflow that fails even without injected failures', async () => {
      const { mock } = start();
      const message = 'exploreFaults: the workflow failed in the run without failures: no luck';
      for (const thrown of [new Error('no luck'), 'no luck']) {
        const job = () => Promise.reject(thrown);
        await expect(exploreFaults(mock, job, { check: passes })).rejects.toThrow(message);
      }
    });

    it.each<[message: string, options: unknown, workflow?: unknown, server?: { mock: unknown }]>([
      ['pass the mock server as the first argument', { check: passes }, () => {}, { mock: {} }],
      ['pass the workflow function as the second argument', { check: passes }, {}],
      ['options must be an object', undefined],
      ['option "check" must be a function or a non-empty list of functions', {}],
      ['option "kinds" must be a non-empty list of: connection', { check: passes, kinds: ['no'] }],
      ['option "depth" must be 1 or 2 (got 3)', { check: passes, depth: 3 }],
      ['option "maxRuns" must be a positive integer', { check: passes, maxRuns: 0 }],
      ['unknown option "randomseed"; did you mean "randomSeed"?', { check: passes, randomseed: 1 }],
      ['option "replay" must be the ID of a failed run', { check: passes, replay: 'x' }],
    ])('rejects invalid arguments: %s', async (message, options, workflow = () => {}, { mock } = start()) => {
      const explore = exploreFaults(mock as never, workflow as never, options as never);
      await expect(explore).rejects.toThrow(`exploreFaults: ${message}`);
    });

    it('rejects fake timers and a second exploration that runs concurrently', async () => {
      const server = start();
      const explore = () => exploreFaults(server.mock, naive(server), { check: passes, kinds: ['slow'] });
      const first = explore();
      await expect(explore()).rejects.toThrow('another exploration is running');
      await first;
      vi.useFakeTimers();
      await expect(explore()).rejects.toThrow('fake timers are installed');
    });

    afterEach(() => {
      vi.useRealTimers();
    });
  });

  it("restores the server and the platform's global objects afterward", async () => {
    const server = start();
    const { mock } = server;
    const once = mock.faults.add({ operation: 'tickets.create', after: 1, times: 1, status: 503 });
    mock.faults.rateLimit({ limit: 100 });
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
    await client.projects.list();
    mock.override('boards.list', (_, next) => next(), { once: true });
    const everything = () => ({
      state: mock.export(),
      requests: mock.requests.all(),
      scopes: mock.scopes.used(),
      globals: [setTimeout, setInterval, clearTimeout, Date, performance.now, AbortSignal.timeout],
      listeners: process.listeners('unhandledRejection'),
    });
    const before = everything();

    const runs: number[] = [];
    await exploreFaults(
      mock,
      async (context) => {
        await context.client.boards.list(server.project);
        await naive(server)(context);
      },
      { check: ({ requests }) => runs.push(requests.length), kinds: ['status_500'] },
    );

    // The fault that was added to the server applies to every run.
    expect(runs).toEqual([5, 6, 6, 6, 6, 6]);
    expect(once.count).toBe(0);
    expect(mock.faults.list()).toHaveLength(1);
    expect(everything()).toEqual(before);
  });

  it("doesn't advance the virtual clock while the workflow uses WebCrypto", async () => {
    const { mock } = start();
    const times: number[] = [];
    const job: Workflow = async ({ client }) => {
      const startedAt = Date.now();
      setTimeout(() => {}, 1000);
      await crypto.subtle.digest('SHA-256', new Uint8Array(5_000_000));
      await client.projects.list();
      times.push(Date.now() - startedAt);
    };
    await exploreFaults(mock, job, { check: passes, kinds: ['malformed'] });
    expect(times).toEqual([0]);
  });

  it('runs workflows in virtual time', async () => {
    const { mock, project, todo } = start();
    mock.clock.set('2026-05-01T00:00:00Z');
    const times: unknown[] = [];
    const job: Workflow = async ({ client }) => {
      const startedAt = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 86_400_000));
      await sleep(1000);
      const signal = AbortSignal.timeout(5000);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await client.tickets.create(project, { board_id: todo, title: 'Fuel' });
      times.push(new Date().toISOString(), Date.now() - startedAt, new Date() instanceof Date);
    };
    await exploreFaults(mock, job, { check: passes, replay: 'rate_limited:tickets.create:1' });
    const clean = ['2026-05-02T00:00:06.000Z', 86_406_000, true];
    expect(times.slice(0, 3)).toEqual(clean);
    expect(times[4]).toBeGreaterThanOrEqual(86_407_000);
  });
});

describe('the report', () => {
  it('contains a table, and explains how to reproduce each failed run', async () => {
    const server = start();
    const kinds = ['response_lost', 'truncated', 'crash_after'] as const;
    const report = await exploreFaults(server.mock, naive(server), { check: noDuplicates(), kinds });
    expect(String(report)).toMatchInlineSnapshot(`
      "The workflow survived 1 of 10 runs.

        tickets.create 1  response_lost, truncated, crash_after
                          → noDuplicates: duplicate ticket "Fuel"
        tickets.create 2  response_lost, truncated
                          → noDuplicates: duplicate ticket "Doors"
        tickets.create 2  crash_after
                          → noDuplicates: duplicate ticket "Fuel"
        tickets.create 3  response_lost, truncated
                          → noDuplicates: duplicate ticket "Radio"
        tickets.create 3  crash_after
                          → noDuplicates: duplicate ticket "Fuel"

      response_lost:tickets.create:1
        noDuplicates: duplicate ticket "Fuel"
        difference from the run without failures:
        + ticket "Fuel"
        requests: tickets.create ×4
        to reproduce:
          mock.faults.add({ operation: 'tickets.create', after: 0, times: 1, error: 'response_lost' });

      response_lost:tickets.create:2
        noDuplicates: duplicate ticket "Doors"
        difference from the run without failures:
        + ticket "Doors"
        requests: tickets.create ×4
        to reproduce:
          mock.faults.add({ operation: 'tickets.create', after: 1, times: 1, error: 'response_lost' });

      crash_after:tickets.create:2
        noDuplicates: duplicate ticket "Fuel"
        difference from the run without failures:
        + ticket "Fuel"
        + ticket "Doors"
        requests: tickets.create ×5
        to reproduce:
          await exploreFaults(mock, workflow, { check, replay: 'crash_after:tickets.create:2' });"
    `);
    expect(() => expect(report).toSurvive()).toThrow(String(report));
    expect(report).not.toSurvive();
    expect(() => expect(server.mock).toSurvive()).toThrow('pass the report to expect()');
  });
});
