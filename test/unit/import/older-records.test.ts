import { describe, expect, it } from 'vitest';
import { type ImportTarget, type Ledger, memoryLedger } from 'worktrack/jobs';
import { collect } from '../../support/collect.js';
import { skipWaits } from '../../support/timers.js';
import { importInto, one, type Row, rowsOf, setUp, titlesOf } from './setting.js';

describe('records that existed before the import', () => {
  it.each(['connection', 'response_lost', 'truncated'] as const)(
    'are never assigned to rows, even if the first requests have the fault %s',
    async (error) => {
      const { run, mock, board, ledger, titles } = setUp();
      const rows = rowsOf(40);
      const old = rows.map(({ title }) => mock.add.ticket({ board: board.id, title }).id);
      mock.faults.add({ operation: 'tickets.create', error, times: 12 });
      expect(await run({ rows })).toMatchObject({ failed: 0, unknown: 0 });
      expect(titles().sort()).toEqual([...titlesOf(rows), ...titlesOf(rows)].sort());
      const ids = (await collect(ledger.entries('done'))).map(({ recordId }) => recordId);
      expect(ids).toHaveLength(40);
      expect(ids.filter((id) => old.includes(`${id}`))).toEqual([]);
    },
  );

  it('are no longer searched for once the first record is created', async () => {
    const { run, mock } = setUp();
    expect(await run({ rows: rowsOf(100), concurrency: 4 })).toMatchObject({ created: 100 });
    expect(mock.requests.for('tickets.list').length).toBeLessThanOrEqual(4);
  });

  it("aren't assigned to the rows of a later run", async () => {
    const { run, mock, board, ledger, titles } = setUp();
    await run({ rows: rowsOf(3) });
    mock.clock.advance(180 * 86_400_000);
    const { id } = mock.add.ticket({ board: board.id, title: 'Fuel the rocket' });
    mock.faults.add({ operation: 'tickets.create', error: 'connection', times: 1 });
    const rows = [{ id: 'later', title: 'Fuel the rocket' }];
    expect(await run({ rows })).toMatchObject({ created: 1, recovered: 0 });
    expect((await ledger.get('later'))?.recordId).not.toBe(id);
    expect(titles()).toHaveLength(5);
  });

  it("are listed as candidates if they couldn't be read before the row was started", async () => {
    const { run, mock, board } = setUp();
    const { id } = mock.add.ticket({ board: board.id, title: 'Fuel the rocket' });
    mock.faults.add({ operation: 'tickets.list', status: 403, times: 1 });
    mock.faults.add({ operation: 'tickets.create', error: 'connection', times: 1 });
    const report = await run({ rows: one });
    expect(report).toMatchObject({ created: 0, recovered: 0, unknown: 1 });
    expect(report.unknownRows[0]?.candidates).toMatchObject([{ id }]);
  });

  it("aren't assigned to a row that is started long after the previous record was created", async () => {
    const { run, mock, board, titles } = setUp();
    skipWaits('performance');
    async function* rows() {
      yield { id: 'r0', title: 'First' };
      // The next row arrives two hours later. In the meantime, another program creates the same ticket.
      await wait(3600);
      mock.add.ticket({ board: board.id, title: 'Fuel the rocket' });
      await wait(3600);
      yield one[0] as Row;
    }
    const wait = async (seconds: number) => {
      mock.clock.advance(seconds * 1000);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    };
    mock.faults.add({ operation: 'tickets.create', error: 'connection', after: 1, times: 1 });
    const report = await run({ rows: rows(), concurrency: 1 });
    expect(report).toMatchObject({ recovered: 0, unknown: 1 });
    expect(report.unknownRows[0]?.candidates).toHaveLength(1);
    expect(titles()).toHaveLength(2);
  });

  it.each([
    { age: '2 days', hours: 48, expected: { created: 2, unknown: 0 }, records: 3 },
    // The record is so recent that the timestamps alone can't rule it out.
    { age: 'an hour', hours: 1, expected: { created: 1, unknown: 1 }, records: 2 },
  ])('are never assigned to a row that is started $age later', async ({ hours, expected, records }) => {
    const { run, mock, board, titles } = setUp();
    mock.add.ticket({ board: board.id, title: one[0]?.title ?? '' });
    mock.clock.advance(hours * 3_600_000);
    mock.override('tickets.create', ({ body }, next) => {
      if (body.title === one[0]?.title)
        mock.faults.add({ operation: 'tickets.create', error: 'connection', times: 1 });
      return next();
    });
    mock.faults.add({ operation: 'tickets.create', error: 'connection', after: 1, times: 1 });
    const report = await run({ rows: [{ id: 'r0', title: 'Something before' }, ...one], concurrency: 1 });
    expect(report).toMatchObject({ ...expected, recovered: 0 });
    expect(titles()).toHaveLength(records);
  });

  it("aren't remembered if there are more than 1,000", async () => {
    skipWaits();
    const ledger = memoryLedger();
    const report = await importOne(1001, ledger);
    expect(report).toMatchObject({ unknown: 1 });
    expect((await ledger.get('r1'))?.baseline).toBeUndefined();
    expect(report.unknownRows[0]?.candidates).toHaveLength(20);
    expect(await importOne(1000, memoryLedger())).toMatchObject({ created: 1 });
  });

  function importOne(count: number, ledger: Ledger) {
    let attempts = 0;
    const create = async () => {
      if (attempts++ === 0) throw new Error('the socket is gone');
      return { id: 'x' };
    };
    const lookup: ImportTarget<Row>['lookup'] = {
      group: () => '',
      async *find() {
        for (let index = 0; index < count; index++) yield { id: `x${index}` };
      },
      match: () => 'exact',
    };
    return importInto({ create, lookup }, one, { ledger });
  }
});

describe("a jump in the server's clock", () => {
  /** Creates a row while the server's clock is ahead, and then loses the next responses. */
  function setUpJump(hours: number, lost: number) {
    const setting = setUp();
    const { mock } = setting;
    const start = new Date();
    mock.clock.set(start);
    mock.override('tickets.create', async ({ body }, next) => {
      if (body.title !== 'Ahead') return next();
      mock.clock.advance(hours * 3_600_000);
      const ticket = await next();
      mock.clock.set(start);
      return ticket;
    });
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', after: 1, times: lost });
    return setting;
  }

  it.each([1, 24, 1000])("by %i h doesn't hide the records of later rows", async (hours) => {
    const { run, titles } = setUpJump(hours, 20);
    const rows = [{ id: 'ahead', title: 'Ahead' }, ...rowsOf(66)];
    const report = await run({ rows, retry: { limit: 59, delay: 1, maxDelay: 1 } });
    expect(titles().sort()).toEqual(titlesOf(rows).sort());
    expect(report).toMatchObject({ failed: 0, unknown: 0 });
  });

  it("never leads to a second record, even if the clock hasn't been read since", async () => {
    const { run, titles } = setUpJump(1, 1);
    const rows = [{ id: 'ahead', title: 'Ahead' }, ...one];
    const report = await run({ rows, concurrency: 1 });
    expect(report).toMatchObject({ created: 1, unknown: 1, unknownRows: [{ key: 'r1' }] });
    expect(report.unknownRows[0]?.candidates).toHaveLength(1);
    expect(titles()).toHaveLength(2);
  });
});
