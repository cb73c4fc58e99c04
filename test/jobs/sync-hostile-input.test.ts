import { expect, it } from 'vitest';
import type { MockServer } from 'worktrack/mock-server';
import { rowsOf } from './support/import-setting.js';
import { setUp, writesOf } from './support/sync-setting.js';

type Listed = Readonly<{ description_html: string | null; archived_at: string | null }>;

/** Changes what the server's lists contain. */
function _overrideList(mock: MockServer, change: (items: readonly Listed[]) => Listed[]): void {
  mock.override('tickets.list', async (_, next) => {
    const items = change((await next()).items as readonly Listed[]);
    return { items, total: items.length } as never;
  });
}

const _shorten = (items: readonly Listed[]) =>
  items.map((item) => ({ ...item, description_html: `${item.description_html}`.slice(0, 8) }));

it('a sync reports a row whose payload is not JSON, and continues', async () => {
  const { sync } = setUp();
  const circular = { title: 'A', board_slug: 'to-do' };
  Object.assign(circular, { circular });
  const toTicket = ({ id, title }: { id: string; title: string }) =>
    id === 'r0' ? circular : { title, board_slug: 'to-do' };
  expect(await sync(rowsOf(2), { toTicket })).toMatchObject({ created: 1, failed: 1 });
});

it('a sync can be aborted while toTicket never settles', async () => {
  const { sync, mock } = setUp();
  const stop = new AbortController();
  const toTicket = () => {
    setImmediate(() => stop.abort());
    return new Promise<never>(() => {});
  };
  const report = await sync(rowsOf(2), { toTicket, signal: stop.signal });
  expect([report.stopped, report.failed, writesOf(mock)]).toEqual([true, 0, []]);
});
