import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Worktrack } from 'worktrack';
import {
  allOrNothing,
  type Check,
  converges,
  type ExploreOptions,
  exploreFaults,
  keepsInterference,
  noDuplicates,
  noUnhandledRejections,
  sameStateAsCleanRun,
  succeeds,
} from 'worktrack/explore';
import type { MockServer } from 'worktrack/mock-server';
import { start, titles } from './support/start.js';

type Setup = ReturnType<typeof start>;

interface BuggyJob {
  /** Prepares the server. */
  given?: (setup: Setup) => void;
  run: (setup: Setup & { client: Worktrack }) => unknown;
  kinds?: ExploreOptions['kinds'];
}

const addTickets =
  (count: number, board: 'todo' | 'done' = 'todo') =>
  (setup: Setup) => {
    for (let number = 1; number <= count; number++) {
      setup.mock.add.ticket({ board: setup[board], title: `Ticket ${number}` });
    }
  };

function postTicket(mock: MockServer, project: string, ticket: object): Promise<Response> {
  const { baseUrl, token } = mock.clientOptions();
  return mock.fetch(`${baseUrl}/api/v1/projects/${project}/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(ticket),
  });
}

const jobs: Record<string, BuggyJob> = {
  'retries after any error': {
    async run({ client, project, todo }) {
      for (const title of titles) {
        const create = () => client.tickets.create(project, { board_id: todo, title });
        await create().catch(create);
      }
    },
  },

  'creates a record before searching for it': {
    // This job tries to remove duplicates left by an earlier run.
    async run({ client, project, todo }) {
      for (const title of titles) {
        const { id } = await client.tickets.create(project, { board_id: todo, title });
        for (const other of await client.tickets.list(project, { q: title }).toArray({ limit: 10 })) {
          if (other.id !== id) await client.tickets.delete(other.id);
        }
      }
    },
  },

  'reads only the first page': {
    given: addTickets(60),
    async run({ client, project, todo }) {
      const page = await client.tickets.list(project, { per_page: 50 });
      const known = new Set(page.data.map(({ title }) => title));
      for (const title of ['Ticket 1', 'Fuel']) {
        if (!known.has(title)) await client.tickets.create(project, { board_id: todo, title });
      }
    },
  },

  'keeps using a cached token after a 401': {
    async run({ mock, project, todo }) {
      // The token provider could return a new token, but the job calls it only once.
      for (const title of titles) await postTicket(mock, project, { board_id: todo, title });
    },
    kinds: ['revoked'],
  },

  'checks the WIP limit before moving a ticket': {
    given(setup) {
      addTickets(1, 'done')(setup);
      addTickets(2)(setup);
    },
    async run({ client, project, todo, done }) {
      const boards = await client.boards.list(project);
      const limit = boards.find(({ id }) => id === done)?.wip_limit ?? 100;
      const tickets = await client.tickets.list(project).toArray({ limit: 100 });
      const waiting = tickets.filter(({ board_id }) => board_id === todo);
      const free = limit - (tickets.length - waiting.length);
      for (const { id } of waiting.slice(0, free)) await client.tickets.move(id, { board_id: done });
    },
    kinds: ['board_filled'],
  },

  'moves a ticket in two steps': {
    given: addTickets(2),
    async run({ client, project, todo, done }) {
      for (const { id, title, board_id } of await client.tickets.list(project).toArray({ limit: 10 })) {
        if (board_id !== todo) continue;
        await client.tickets.create(project, { board_id: done, title });
        await client.tickets.delete(id);
      }
    },
  },

  'deletes records while listing them': {
    given: addTickets(6),
    async run({ client, project }) {
      for (let page = 1; ; page++) {
        const { data } = await client.tickets.list(project, { page, per_page: 2 });
        if (data.length === 0) return;
        for (const { id } of data) await client.tickets.delete(id);
      }
    },
  },

  'ignores 429 responses': {
    async run({ mock, project, todo }) {
      for (const title of titles) {
        const response = await postTicket(mock, project, { board_id: todo, title });
        if (response.status >= 500) throw new Error(`status ${response.status}`);
      }
    },
    kinds: ['rate_limited', 'status_500', 'connection'],
  },

  'creates records in parallel without waiting for all of them': {
    async run({ client, project, todo }) {
      await Promise.all(titles.map((title) => client.tickets.create(project, { board_id: todo, title })));
    },
  },

  'swallows all errors in a batch': {
    given: addTickets(3),
    async run({ client, project }) {
      for (const { id } of await client.tickets.list(project).toArray({ limit: 10 })) {
        await client.tickets.update(id, { priority: 'high' }).catch(() => {});
      }
    },
  },
};

const checks: Check[] = [
  noDuplicates(),
  allOrNothing(),
  sameStateAsCleanRun(),
  converges(),
  keepsInterference(),
  noUnhandledRejections(),
];

const guide = readFileSync(new URL('../../../docs/testing/explore-failures.md', import.meta.url), 'utf8');

test.each(Object.entries(jobs))('the checks listed in the guide detect a job that %s', async (name, job) => {
  const setup = start();
  job.given?.(setup);
  const { failed } = await exploreFaults(
    setup.mock,
    ({ client }) => job.run({ client, ...setup }),
    // If every kind of failure is injected, each job fails at some point, for example when its credential is
    // revoked.
    { check: [...checks, ...(job.kinds ? [succeeds()] : [])], kinds: job.kinds },
  );
  const found = (clean: boolean) => {
    const names = failed
      .filter(({ id }) => (id === '') === clean)
      .flatMap(({ problems }) => problems.map(({ check }) => `\`${check}\``));
    return [...new Set(names)].sort().join(', ') || '–';
  };
  const kinds = job.kinds?.map((kind) => `\`${kind}\``).join(', ') ?? 'all';
  expect(guide).toContain(`\n| ${name} | ${kinds} | ${found(false)} | ${found(true)} |\n`);
});
