import { describe, expect, it, onTestFinished } from 'vitest';
import { AuthenticationError } from 'worktrack';
import { memoryBook } from 'worktrack/jobs';
import { type ChangeQueueOptions, changeQueue } from 'worktrack/jobs/bullmq';
import { connect } from '../support/clients.js';
import { startProject } from './support/feed-project.js';
import { errorOf } from './support/import-setting.js';
import { backends, newPlace, openQueue, whySkipped } from './support/queues.js';

describe.for(backends)('a change queue on %s', (name) => {
  const test = it.skipIf(whySkipped(name) !== undefined);

  function setUp() {
    const setting = startProject();
    const place = newPlace(name);
    const { bullmq } = openQueue(place);
    const jobs = async () => (await bullmq.getWaiting()).map(({ name, data, id }) => ({ name, id, ...data }));
    const start = (options: Partial<ChangeQueueOptions> = {}) => {
      const { client, project } = setting;
      const sweeps: number[] = [];
      const onSweep = ({ changes }: { changes: number }) => sweeps.push(changes);
      const watched = { client, project: project.id, include: ['ticket'] as const };
      const feed = changeQueue({ ...place, ...watched, book: memoryBook(), every: 20, onSweep, ...options });
      feed.finished.catch(() => {});
      onTestFinished(() => feed.close());
      return { ...feed, sweeps };
    };
    return { ...setting, start, jobs };
  }

  test('adds a job for each change, whose ID and name are those of the change', async () => {
    const { start, jobs, client, first, second } = setUp();
    const { sweeps } = start();
    await expect.poll(() => sweeps.length).toBeGreaterThan(0);
    await client.tickets.update(first.id, { title: 'Renamed' });
    await expect
      .poll(jobs)
      .toMatchObject([{ name: 'ticket.updated', recordId: first.id, fields: ['title'] }]);
    await client.tickets.delete(second.id);
    await expect
      .poll(async () => (await jobs()).map(({ name }) => name).sort())
      .toEqual(['ticket.deleted', 'ticket.updated']);
    for (const job of await jobs()) expect(job).toMatchObject({ type: job.name, id: expect.any(String) });
  });

  test('ignores a change that is delivered twice', async () => {
    const { start, jobs } = setUp();
    const feed = start({ initial: 'emit' });
    await expect.poll(async () => (await jobs()).length).toBe(3);
    await feed.close();
    await feed.finished;
    // With a new book, the feed delivers all changes again.
    const again = start({ initial: 'emit' });
    await expect.poll(() => again.sweeps).toEqual(expect.arrayContaining([3, 0]));
    expect(await jobs()).toHaveLength(3);
  });

  test('ends with the error if the credential is rejected, or with its signal', async () => {
    const { start, mock } = setUp();
    const feed = start({ client: connect(mock, { token: 'revoked', retry: 0 }) });
    expect(await errorOf(feed.finished)).toBeInstanceOf(AuthenticationError);
    const controller = new AbortController();
    const other = start({ signal: controller.signal });
    await expect.poll(() => other.sweeps.length).toBeGreaterThan(0);
    controller.abort();
    await other.finished;
  });
});

it.each([
  [{ jobOptions: { jobId: 'x' } }, 'option "jobOptions" must be an object without jobId'],
  [{ every: 0 }, 'option "every" must be a positive number'],
  [{ redis: undefined }, 'pass either option "redis" or option "postgres"'],
])('changeQueue rejects %j', (options, message) => {
  const { client } = startProject();
  const valid = { name: 'a', redis: {}, client, book: memoryBook() };
  expect(() => changeQueue({ ...valid, ...options } as never)).toThrow(`changeQueue: ${message}`);
});
