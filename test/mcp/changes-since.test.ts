import { expect, test } from 'vitest';
import { connect, failed } from './support/connect.js';

/** Starts a series of calls, each passing the cursor from the previous one. */
async function startSeries() {
  const session = await connect({ write: true, allowDestructive: true });
  const { call } = session;
  const cursorIn = (text: string) => /since=(\S+)/.exec(text)?.[1];
  const list = (since?: string) => call('changes_since', { project: 'APO', ...(since && { since }) });
  let cursor = cursorIn((await list()).text);
  const next = async () => {
    const { text } = await list(cursor);
    cursor = cursorIn(text);
    return text;
  };
  return { ...session, list, next, cursor: () => cursor as string };
}

test('changes_since lists the changes since the last call, including deletions', async () => {
  const { call, next } = await startSeries();
  await call('tickets_update', { ticket: 'tkt_radio', priority: 'highest', description_html: '<p>New</p>' });
  await call('tickets_move', { ticket: 'tkt_guidance', board_id: 'brd_done' });
  await call('tickets_delete', { ticket: 'tkt_dinner' });
  await call('boards_update', { board: 'brd_todo', wip_limit: 9 });
  const text = await next();
  expect(text).toContain('4 changes');
  expect(text).toMatch(
    /ticket\.updated \| Radio check \| description_html; priority: \w+ → highest \| tkt_radio/,
  );
  expect(text).toMatch(/ticket\.moved .*board_id: \w+ → brd_done.* \| tkt_guidance/);
  expect(text).toMatch(/ticket\.deleted .*tkt_dinner/);
  expect(text).toMatch(/board\.updated .*wip_limit: - → 9/);
  expect(await next()).toContain('0 changes');
});

test('changes_since lists at most 50 changes per call, and lists the remaining changes in later calls', async () => {
  const { mock, list, next } = await startSeries();
  for (let index = 1; index <= 60; index++) mock.add.ticket({ board: 'brd_todo', title: `New ${index}.` });
  expect((await list('2026-01-01T00:00:00Z')).text).toContain('For the others, use tickets_list with fields');
  const first = await next();
  expect(first).toContain('60 changes; 50 shown');
  expect(first).toContain('More: since=');
  const second = await next();
  expect(second).toContain('10 changes.');
  for (let index = 1; index <= 60; index++) expect(first + second).toContain(`New ${index}.`);
});

test("changes_since lists the same changes again until it's called with the next cursor", async () => {
  const { call, mock, list, cursor, next } = await startSeries();
  await call('tickets_update', { ticket: 'tkt_radio', title: 'Second' });
  const first = cursor();
  const lost = await next();
  mock.faults.add({ operation: 'tickets.list', status: 403, times: 1 });
  expect((await list(first)).isError).toBe(true);
  const { text } = await list(first);
  expect(text.replaceAll(/untrusted-\w+/g, '')).toBe(lost.replaceAll(/untrusted-\w+/g, ''));
  expect(await next()).toContain('0 changes');
  expect(await list(first)).toEqual(failed('current cursor'));
});

test('changes_since lists the records created or updated since a given time', async () => {
  const { mock, call, list, next } = await startSeries();
  mock.clock.advance(60_000);
  const time = mock.clock.iso();
  mock.clock.advance(60_000);
  await call('tickets_update', { ticket: 'tkt_radio', title: 'Second' });
  await call('tickets_create', { project: 'prj_apollo', board_id: 'brd_todo', title: 'Third' });
  const { text } = await list(time);
  expect(text).toContain(`2 records changed since ${time}; 2 shown`);
  expect(text).toMatch(/ticket\.updated \| Second/);
  expect(text).toMatch(/ticket\.created \| Third/);
  expect(text).toContain('Deletions, old values, and changes that');
  expect(text).not.toContain('For the others');
  const cursor = /since=(c\S+)/.exec(text)?.[1] as string;
  await call('tickets_delete', { ticket: 'tkt_radio' });
  expect((await list(cursor)).text).toMatch(/ticket\.deleted \| Second/);
  expect(await next()).toContain('2 changes');
});

test.each(['yesterday', 'c1.7', 'c99.0'])('changes_since rejects the time or cursor %s', async (since) => {
  const { list } = await startSeries();
  expect(await list(since)).toEqual(
    failed('is neither a time nor a current cursor for this project; pass a time'),
  );
});
