import { expect, it, onTestFinished } from 'vitest';
import type { Ledger, LedgerEntry } from 'worktrack/jobs';
import { collect } from '../../support/collect.js';

const entry = (key: string, state: LedgerEntry['state'], fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  key,
  state,
  fingerprint: '00c0ffee',
  group: 'Fuel',
  ...fields,
});

const done = (key: string, recordId: string, fields: Partial<LedgerEntry> = {}) => ({
  ...entry(key, 'done', fields),
  recordId,
});

const sorted = async (entries: AsyncIterable<LedgerEntry>) =>
  (await collect(entries)).sort((one, other) => (one.key < other.key ? -1 : 1));

interface OpenedLedger {
  ledger: Ledger;
  reopen?: () => Promise<Ledger>;
}

const closeAtEnd = <Opened extends Ledger | undefined>(ledger: Opened): Opened => {
  onTestFinished(() => ledger?.close().catch(() => {}));
  return ledger;
};

/** Closes a ledger and opens it again. Returns undefined for an in-memory ledger. */
async function restart({ ledger, reopen }: OpenedLedger) {
  await ledger.close();
  return closeAtEnd(await reopen?.());
}

/** Runs a check before and after a restart. */
async function checkTwice(opened: OpenedLedger, check: (ledger: Ledger) => Promise<void>) {
  await opened.ledger.flush();
  await check(opened.ledger);
  const reopened = await restart(opened);
  if (reopened) await check(reopened);
}

/**
 * Defines the tests that every ledger must pass.
 *
 * @param openLedger - Opens a new, empty ledger. `reopen` simulates a process restart and is undefined for an
 * in-memory ledger.
 */
export function describeLedger(openLedger: () => Promise<OpenedLedger>): void {
  const open = async () => {
    const opened = await openLedger();
    closeAtEnd(opened.ledger);
    return opened;
  };

  it('returns undefined or a pending entry for a row that was never started', async () => {
    const { ledger } = await open();
    expect((await ledger.get('a'))?.state ?? 'pending').toBe('pending');
  });

  it.each(['started', 'failed', 'unknown', 'pending'] as const)(
    "returns a row's latest entry if the row's state is %s",
    async (state) => {
      const opened = await open();
      const { ledger } = opened;
      const fieldErrors = { title: ['is required'] };
      const error = { message: 'no', code: 'unprocessable', status: 422, fieldErrors };
      await ledger.put(entry('a', 'started'));
      await ledger.put(
        entry('a', state, { error, candidates: [{ id: 'tic_1' }], since: '2026-01-01T00:00:00Z' }),
      );
      const expected = { state, fingerprint: '00c0ffee', error, candidates: [{ id: 'tic_1' }] };
      await checkTwice(opened, async (current) => expect(await current.get('a')).toMatchObject(expected));
    },
  );

  it('assigns a record only to the first row that claims it', async () => {
    const opened = await open();
    const { ledger } = opened;
    expect(await ledger.isClaimed('tic_1', 'b')).toBe(false);
    expect(await ledger.claim(done('a', 'tic_1'))).toBe(true);
    expect(await ledger.claim(done('b', 'tic_1'))).toBe(false);
    expect(await ledger.isClaimed('tic_1', 'b')).toBe(true);
    expect(await ledger.get('a')).toMatchObject({ state: 'done', fingerprint: '00c0ffee' });
    expect((await ledger.get('b'))?.state ?? 'pending').toBe('pending');
    const reopened = await restart(opened);
    if (!reopened) return;
    expect(await reopened.claim(done('b', 'tic_1'))).toBe(false);
    expect(await reopened.isClaimed('tic_1', 'b')).toBe(true);
    expect(await reopened.isClaimed('tic_2', 'b')).toBe(false);
  });

  it('assigns a record to only one of the rows that claim it concurrently', async () => {
    const { ledger } = await open();
    const claims = await Promise.all(['a', 'b', 'c'].map((key) => ledger.claim(done(key, 'tic_1'))));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it("rejects a done entry for a record that the row hasn't claimed", async () => {
    const { ledger } = await open();
    await expect(ledger.put(entry('a', 'done'))).rejects.toMatchObject({
      name: 'LedgerError',
      message: 'use claim() to mark a row as done',
    });
    expect((await ledger.get('a'))?.state ?? 'pending').toBe('pending');
  });

  it('allows a row to claim its own record again', async () => {
    const { ledger } = await open();
    for (let attempt = 0; attempt < 2; attempt++) expect(await ledger.claim(done('a', 'tic_1'))).toBe(true);
  });

  it("lists a group's in-doubt rows", async () => {
    const { ledger } = await open();
    await ledger.put(entry('a', 'started'));
    await ledger.put(entry('a', 'unknown'));
    await ledger.put(entry('b', 'unknown'));
    await ledger.put(entry('c', 'unknown', { group: 'Doors' }));
    expect((await ledger.inDoubt('Fuel')).sort()).toEqual(['a', 'b']);
    await ledger.claim(done('a', 'tic_1'));
    expect(await ledger.inDoubt('Fuel')).toEqual(['b']);
  });

  it('lists entries by state', async () => {
    const opened = await open();
    const { ledger } = opened;
    await ledger.put(entry('a', 'started'));
    await ledger.claim(done('a', 'tic_1'));
    await ledger.put(entry('b', 'failed', { error: { message: 'no' } }));
    await ledger.put(entry('c', 'unknown'));
    await checkTwice(opened, async (current) => {
      expect(await sorted(current.entries('done'))).toMatchObject([{ key: 'a', recordId: 'tic_1' }]);
      expect(await sorted(current.entries('failed'))).toMatchObject([{ key: 'b', error: { message: 'no' } }]);
      expect(await sorted(current.entries())).toMatchObject([{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
    });
  });

  it('lists only the latest entry of a row that was marked as done more than once', async () => {
    const opened = await open();
    for (const title of ['1', '2']) await opened.ledger.claim(done('a', 'tic_1', { fields: { title } }));
    await checkTwice(opened, async (current) =>
      expect(await sorted(current.entries('done'))).toMatchObject([{ key: 'a', fields: { title: '2' } }]),
    );
  });

  it('forgets a row unless that row is in doubt', async () => {
    const opened = await open();
    const { ledger } = opened;
    await ledger.claim(done('a', 'tic_1'));
    await ledger.put(entry('b', 'unknown'));
    await ledger.forget('a');
    await ledger.forget('missing');
    await expect(ledger.forget('b')).rejects.toThrow('row "b" is in doubt');
    await checkTwice(opened, async (current) => {
      expect((await current.get('a'))?.state ?? 'pending').toBe('pending');
      expect(await sorted(current.entries('done'))).toEqual([]);
      expect(await current.get('b')).toMatchObject({ state: 'unknown' });
    });
  });

  it("can't be bound to a second scope", async () => {
    const opened = await open();
    await opened.ledger.bind('tickets:prj_1');
    await checkTwice(opened, async (current) => {
      await current.bind('tickets:prj_1');
      await expect(current.bind('tickets:prj_2')).rejects.toMatchObject({
        name: 'LedgerError',
        message: expect.stringContaining('belongs to the import "tickets:prj_1"'),
      });
    });
  });
}
