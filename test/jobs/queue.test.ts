import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AuthenticationError, ConfigurationError } from 'worktrack';
import { importTickets } from 'worktrack/jobs';
import { importQueue, importWorker } from 'worktrack/jobs/bullmq';
import { connect } from '../support/clients.js';
import { errorOf, rowsOf, titlesOf } from './support/import-setting.js';
import { startProxy } from './support/proxy.js';
import { backends, newPlace, openQueue, type Row, setUpQueue, whySkipped } from './support/queues.js';
import { postgresAddress, redisAddress } from './support/services.js';

describe.for(backends)('an import queue on %s', (name) => {
  const test = it.skipIf(whySkipped(name) !== undefined);

  test('creates each row once, even if its rows are added twice', async () => {
    const { queue, work, titles, key, mock } = setUpQueue(name);
    const rows = rowsOf(30);
    expect(await queue.add(rows, { key })).toEqual({ rows: 30, repeatedKeys: [] });
    work();
    await expect.poll(queue.counts).toEqual({ completed: 30, failed: 0 });
    const again = await queue.add([...rows, ...rows.slice(0, 2)], { key });
    expect(again).toEqual({ rows: 30, repeatedKeys: ['r0', 'r1'] });
    expect(await queue.counts()).toEqual({ completed: 30, failed: 0 });
    expect(titles()).toEqual(titlesOf(rows).sort());
    expect(mock.requests.for('tickets.list')).toHaveLength(1);
  });

  test('rows can contain any string, but keys cannot', async () => {
    const { mock, queue, work, key } = setUpQueue(name);
    const toTicket = vi.fn(({ title }: Row) => ({ title: `Row ${title.length}`, board_slug: '' }));
    await queue.add([{ id: 'é 😀', title: 'a\ud800b\0c' }], { key });
    work({ toTicket: (row) => ({ ...toTicket(row), board_slug: `${mock.state.boards.all()[0]?.slug}` }) });
    await expect.poll(queue.counts).toEqual({ completed: 1, failed: 0 });
    expect(toTicket).toHaveBeenCalledWith({ id: 'é 😀', title: 'a\ud800b\0c' });
    for (const id of ['a\0', 'a\ud800', '', 'x'.repeat(201)]) {
      await expect(queue.add([{ id, title: 'Fuel' }], { key })).rejects.toThrow(
        "a row's key must be a string of 1 to 200 characters",
      );
    }
  });

  test('recognizes the record of a lost response by its mark', async () => {
    const { mock, queue, work, titles, key } = setUpQueue(name);
    mock.faults.add({ operation: 'tickets.create', error: 'response_lost', times: 3 });
    mock.faults.add({ operation: 'tickets.create', error: 'truncated', times: 1, after: 3 });
    await queue.add(rowsOf(10), { key });
    work();
    await expect.poll(queue.counts).toEqual({ completed: 10, failed: 0 });
    expect(titles()).toEqual(titlesOf(rowsOf(10)).sort());
    const jobs = await queue.bullmq.getCompleted();
    expect(jobs.filter(({ returnvalue }) => returnvalue.recovered)).toHaveLength(4);
    const ids = jobs.map(({ returnvalue }) => returnvalue.id).sort();
    expect(ids).toEqual(
      mock.state.tickets
        .all()
        .map(({ id }) => id)
        .sort(),
    );
    expect(mock.requests.for('tickets.create')).toHaveLength(10);
  });

  test('says in the job that a row was started before it sends the request', async () => {
    const { mock, queue, work, key } = setUpQueue(name);
    mock.faults.add({ operation: 'tickets.create', latency: 500 });
    await queue.add(rowsOf(1), { key });
    work();
    await expect.poll(() => mock.requests.for('tickets.create')).toHaveLength(1);
    const [job] = await queue.bullmq.getActive();
    expect(job?.data).toMatchObject({ key: 'r0', started: true });
  });

  test.for([
    ['at an unknown time', undefined, true],
    ['just now', 0, true],
    ['long before the last read', 60_000, false],
  ] as const)('looks for the marks of rows that were started %s', async ([, age, readsAgain]) => {
    const started = age === undefined ? true : Date.now() - age;
    const { mock, client, project, board, queue, work, titles, key } = setUpQueue(name);
    work();
    await queue.add([{ id: 'first', title: 'First' }], { key });
    await expect.poll(queue.counts).toEqual({ completed: 1, failed: 0 });
    await queue.bullmq.pause();
    await queue.add(rowsOf(6), { key });
    const jobs = await queue.bullmq.getWaiting();
    expect(jobs).toHaveLength(6);
    for (const job of jobs) await job.updateData({ ...job.data, started });
    const toTicket = ({ title }: Row) => ({ board_id: board.id, title });
    await importTickets({ client, project: project.id, source: 'Jira', rows: rowsOf(3), key, toTicket });
    mock.requests.clear();
    await queue.bullmq.resume();
    await expect.poll(queue.counts).toEqual({ completed: 7, failed: 0 });
    const reads = mock.requests.for('tickets.list').length;
    expect(reads > 0).toBe(readsAgain);
    expect(titles()).toHaveLength(readsAgain ? 7 : 10);
  });

  test('creates a row later if the API certainly did nothing, without reading the marks again', async () => {
    const { mock, queue, work, titles, key } = setUpQueue(name);
    mock.faults.add({ operation: 'tickets.create', status: 429, retryAfter: 1, times: 2 });
    await queue.add(rowsOf(5), { key });
    work();
    await expect.poll(queue.counts).toEqual({ completed: 5, failed: 0 });
    expect(titles()).toEqual(titlesOf(rowsOf(5)).sort());
    expect(mock.requests.for('tickets.list')).toHaveLength(1);
    expect(await queue.bullmq.getJobs(['completed'])).toEqual(
      expect.arrayContaining([expect.objectContaining({ attemptsMade: 1 })]),
    );
  });

  test('fails rows that the API rejects or that cannot be converted, after one attempt', async () => {
    const { queue, work, key, board } = setUpQueue(name);
    await queue.add(rowsOf(3), { key });
    work({
      toTicket: ({ id }) => {
        if (id === 'r0') throw new Error('no status "Later"');
        return { board_id: id === 'r1' ? 'missing' : board.id, title: id };
      },
    });
    await expect.poll(queue.counts).toEqual({ completed: 1, failed: 2 });
    const failed = await queue.bullmq.getFailed();
    const reasons = failed.map(({ failedReason }) => failedReason).sort();
    expect(reasons).toEqual(
      [expect.stringContaining('no status "Later"'), expect.stringContaining('board_id')].sort(),
    );
    for (const job of failed) {
      expect(job).toMatchObject({ attemptsMade: 1 });
      expect(job.data).not.toHaveProperty('started');
    }
  });

  test('stops a worker whose credential is rejected, and another one continues', async () => {
    const { mock, queue, work, titles, key } = setUpQueue(name);
    await queue.add(rowsOf(10), { key });
    const worker = work({ client: connect(mock, { token: 'revoked', retry: 0 }) });
    expect(await errorOf(worker.finished)).toBeInstanceOf(AuthenticationError);
    expect(await queue.counts()).toEqual({ completed: 0, failed: 0 });
    work();
    await expect.poll(queue.counts).toEqual({ completed: 10, failed: 0 });
    expect(titles()).toHaveLength(10);
  });

  test('recognizes what earlier imports created if the queue was lost', async () => {
    const { mock, client, project, board, queue, work, titles, key } = setUpQueue(name);
    const toTicket = ({ title }: Row) => ({ board_id: board.id, title });
    await importTickets({ client, project: project.id, source: 'Jira', rows: rowsOf(4), key, toTicket });
    mock.add.ticket({ board: board.id, title: 'Step 4 of the plan' });
    await queue.add(rowsOf(6), { key });
    work();
    await expect.poll(queue.counts).toEqual({ completed: 6, failed: 0 });
    expect(titles()).toEqual([...titlesOf(rowsOf(6)), 'Step 4 of the plan'].sort());
  });

  test('creates documents, and reports the rows that have several', async () => {
    const { mock, client, place, queue, key } = setUpQueue(name);
    const options = { ...place, client, source: 'Wiki', workerOptions: { drainDelay: 1 } };
    const worker = importWorker<Row>({ ...options, toDocument: ({ title }) => ({ title }) });
    await queue.add(rowsOf(3), { key });
    await expect.poll(queue.counts).toEqual({ completed: 3, failed: 0 });
    await worker.close();
    await worker.finished;
    const scope = { client, source: 'Wiki', kind: 'document' } as const;
    expect(await queue.findDuplicates(scope)).toEqual([]);
    const [first] = await queue.bullmq.getCompleted();
    const created = await client.documents.get(`${first?.returnvalue.id}`);
    const { title, content_html } = created;
    const copy = await client.documents.create({ title, content_html });
    expect(await queue.findDuplicates(scope)).toEqual([
      { key: first?.data.key, keep: created.id, extra: [copy.id] },
    ]);
    expect(mock.state.documents.all()).toHaveLength(4);
  });

  test('continues after its connections were lost', async () => {
    const { client, project, board, titles, key } = setUpQueue(name);
    const proxy = await startProxy(name === 'redis' ? redisAddress : postgresAddress);
    const place = newPlace(name, proxy.port);
    const queue = openQueue(place);
    await queue.add(rowsOf(40), { key });
    let isCut = false;
    const worker = importWorker<Row>({
      ...{ ...place, client, project: project.id, source: 'Jira', concurrency: 2 },
      toTicket: async ({ title }) => {
        if (title === 'Step 10 of the plan' && !isCut) proxy.cut();
        isCut ||= title === 'Step 10 of the plan';
        return { board_id: board.id, title };
      },
      workerOptions: { drainDelay: 1, lockDuration: 1000, stalledInterval: 500 },
    });
    onTestFinished(() => worker.close());
    await expect.poll(queue.counts, { timeout: 25_000 }).toEqual({ completed: 40, failed: 0 });
    expect(isCut).toBe(true);
    expect(titles()).toEqual(titlesOf(rowsOf(40)).sort());
  });

  test('passes BullMQ its options', async () => {
    const { queue, work, place, key } = setUpQueue(name);
    const limiter = { max: 5, duration: 60_000 };
    await queue.add(rowsOf(8), { key });
    const { bullmq } = work({ concurrency: 3, workerOptions: { limiter, drainDelay: 1 } });
    expect(bullmq.opts).toMatchObject({ limiter, concurrency: 3, maxStalledCount: 100 });
    await expect.poll(queue.counts).toEqual({ completed: 5, failed: 0 });
    const other = openQueue({ ...place, name: `${place.name}-2` }, { attempts: 7 });
    await other.add(rowsOf(1), { key });
    const [job] = await other.bullmq.getWaiting();
    expect(job?.opts).toMatchObject({ attempts: 7, backoff: { type: 'fixed', delay: 50 } });
  });
});

describe('invalid options', () => {
  const redis = redisAddress;
  it.each([
    [{ name: 'a:b', redis }, 'option "name" must be a name without colons (got "a:b")'],
    [{ name: 'a' }, 'pass either option "redis" or option "postgres"'],
    [{ name: 'a', redis, postgres: postgresAddress }, 'pass either option "redis" or option "postgres"'],
    [{ name: 'a', redis: 7 }, 'option "redis" must be a URL, connection options, or a client (got 7)'],
    [{ name: 'a', postgres: '' }, 'option "postgres" must be a URL or pg options (got "")'],
    [{ name: 'a', redis, prefix: '' }, 'option "prefix" must be a non-empty string (got "")'],
    [{ name: 'a', redis, jobOptions: { jobId: 'x' } }, 'option "jobOptions" must be an object without jobId'],
    [{ name: 'a', redis, jobOption: {} }, 'unknown option "jobOption"; did you mean "jobOptions"?'],
  ])('importQueue rejects %j', (options, message) => {
    expect(() => importQueue(options as never)).toThrow(ConfigurationError);
    expect(() => importQueue(options as never)).toThrow(`importQueue: ${message}`);
  });

  const client = { tickets: {} };
  const toTicket = () => ({ title: '', board_id: '' });
  const valid = { name: 'a', redis, client, source: 'Jira' };
  it.each([
    [{ ...valid, toTicket }, 'option "project" must be an ID'],
    [{ ...valid }, 'option "toDocument" must be a function, or omitted if "toTicket" is set'],
    [{ ...valid, toTicket, project: 'p', toDocument: toTicket }, 'option "toDocument" must be'],
    [{ ...valid, toTicket, project: 'p', organization: 'o' }, 'option "organization" must be an ID'],
    [{ ...valid, toTicket: 7, project: 'p' }, 'option "toTicket" must be a function (got 7)'],
    [{ ...valid, toDocument: toTicket, source: '' }, 'option "source" must be a name of 1 to 200 characters'],
    [{ ...valid, toDocument: toTicket, client: {} }, 'option "client" must be a client'],
    [{ ...valid, toDocument: toTicket, concurrency: 0 }, 'option "concurrency" must be a positive integer'],
    [
      { ...valid, toDocument: toTicket, workerOptions: { removeOnComplete: true } },
      'option "workerOptions" must be an object without connection',
    ],
  ])('importWorker rejects %j', (options, message) => {
    expect(() => importWorker(options as never)).toThrow(`importWorker: ${message}`);
  });
});
