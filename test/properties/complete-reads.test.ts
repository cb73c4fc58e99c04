import { expect, test } from 'vitest';
import { type PageList, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { Random } from '../../mock-server/state/ids.js';
import { isLong, runs, seed } from './runs.js';

/** What another user does between two pages of a read. */
type Change = 'move' | 'create' | 'delete' | 'leave' | 'enter';

/**
 * How to read and change one kind of record. `leave` and `enter` change whether a record matches the filter.
 */
interface Kind {
  list(client: Worktrack): PageList<{ id: string }>;
  change: Record<Change, (client: Worktrack, id: string, position: number) => PromiseLike<unknown>>;
}

const size = 150;
const count = runs({ quick: 5, long: 1000 });

const tickets: Kind = {
  list: (client) => client.tickets.list('prj_1', { q: 'Item', per_page: 10 }),
  change: {
    move: (client, id, position) => client.tickets.move(id, { board_id: 'brd_1', position }),
    create: (client) => client.tickets.create('prj_1', { board_id: 'brd_1', title: 'Item' }),
    delete: (client, id) => client.tickets.delete(id),
    leave: (client, id) => client.tickets.update(id, { title: 'Other' }),
    enter: (client, id) => client.tickets.update(id, { title: 'Item' }),
  },
};

const documents: Kind = {
  list: (client) => client.documents.list({ status: 'draft', per_page: 10 }),
  change: {
    move: () => expect.unreachable(),
    create: (client) => client.documents.create({ title: 'Item' }),
    delete: (client, id) => client.documents.delete(id),
    leave: (client, id) => client.documents.update(id, { status: 'published' }),
    enter: (client, id) => client.documents.update(id, { status: 'draft' }),
  },
};

const records = Array.from({ length: size }, (_, index) => ({ id: `id_${index}`, title: 'Item' }));
const mock = createMockServer({
  now: '2026-01-01T00:00:00.000Z',
  journalLimit: 0,
  world: {
    organizations: [
      {
        id: 'org_acme',
        name: 'Acme',
        credentials: [{ token: 'wt_1', scopes: ['*'] }],
        projects: [
          {
            id: 'prj_1',
            name: 'One',
            key: 'ONE',
            boards: [{ id: 'brd_1', name: 'To do', tickets: records }],
          },
        ],
        documents: records,
      },
    ],
  },
});
const start = mock.snapshot();

/** A list that other users change each time a page has been read. */
class ChangingList {
  /** The records that have existed and matched the filter ever since the list was created. */
  readonly present = new Set(records.map(({ id }) => id));
  readonly reader: Worktrack;
  requests = 0;
  readonly #writer = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  readonly #hidden: string[] = [];

  constructor(
    private readonly kind: Kind,
    private readonly changes: readonly Change[],
    private readonly random: Random,
  ) {
    mock.restore(start);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const date = mock.clock.now().toUTCString();
      const body = await (await mock.fetch(input, init)).text();
      this.requests++;
      mock.clock.advance(100);
      await this.#change();
      return new Response(body, { headers: { date } });
    };
    this.reader = new Worktrack({ ...mock.clientOptions(), fetch });
  }

  /** Makes one change per page on average. */
  async #change(): Promise<void> {
    for (let left = this.#pick(3); left > 0; left--) {
      const change = this.changes[this.#pick(this.changes.length)] as Change;
      const present = [...this.present];
      const id =
        change === 'enter'
          ? this.#hidden.splice(this.#pick(this.#hidden.length), 1)[0]
          : present[this.#pick(present.length)];
      if (!id) continue;
      await this.kind.change[change](this.#writer, id, this.#pick(size));
      if (change === 'delete' || change === 'leave') this.present.delete(id);
      if (change === 'leave') this.#hidden.push(id);
    }
  }

  #pick = (limit: number) => Math.floor(this.random.next() * limit);
}

const strategies = {
  forward: (list: PageList<{ id: string }>) => list.toArray({ limit: Infinity }),
  complete: (list: PageList<{ id: string }>) => list.toArray({ complete: true }),
};

/** Returns how many reads missed at least one record, and the average number of requests per read. */
async function measure(kind: Kind, changes: readonly Change[], read: (typeof strategies)['complete']) {
  let incomplete = 0;
  let requests = 0;
  for (let index = 0; index < count; index++) {
    const list = new ChangingList(kind, changes, new Random(`${seed} ${index}`));
    const found = new Set((await read(kind.list(list.reader))).map(({ id }) => id));
    if ([...list.present].some((id) => !found.has(id))) incomplete++;
    requests += list.requests;
  }
  return { incomplete, requests: Math.round(requests / count) };
}

test.each([
  ['tickets', 'move', tickets],
  ['tickets', 'move, create, delete, leave, enter', tickets],
  ['documents', 'create, delete', documents],
  ['documents', 'create, delete, leave, enter', documents],
])(
  'a complete read of %s returns every record that exists throughout the read (other users: %s)',
  async (name, changeNames, kind) => {
    const changes = changeNames.split(', ') as Change[];
    const forward = await measure(kind, changes, strategies.forward);
    const complete = await measure(kind, changes, strategies.complete);
    if (isLong) {
      const what = `${name} (${changeNames}), seed ${seed}, reads of ${count} that missed records:`;
      console.info(what, { forward, complete });
    }
    // The test is meaningful only if an ordinary read misses records.
    expect(forward.incomplete).toBeGreaterThan(count / 2);
    // If every pass misses the same record, so does the read.
    expect(complete.incomplete).toBeLessThanOrEqual(count / 200);
  },
  3_600_000,
);
