import { DelayedError, type Job, type Queue, UnrecoverableError, WaitingError } from 'bullmq';
import { vi } from 'vitest';
import type { ImportTarget } from 'worktrack/jobs';
import { BullmqLedger } from '../../../addons/jobs/import/bullmq/bullmq-ledger.js';
import { type RowJob, rowJobId } from '../../../addons/jobs/import/bullmq/row-job.js';
import { processRow } from '../../../addons/jobs/import/bullmq/row-processor.js';
import type { Change, Holder, Store } from '../../../addons/jobs/import/bullmq/store.js';
import { WorkerRequests } from '../../../addons/jobs/import/bullmq/worker-requests.js';
import { attemptSettings } from '../../../addons/jobs/import/options.js';

/** An in-memory store. `token` is the token of the worker that has the job's lock. */
function fakeStore(jobs: Map<string, RowJob<unknown>>) {
  const state = { token: 'token', pauses: [] as number[], reserved: 0, interval: 0, wait: 0, pausedFor: 0 };
  const groups = new Map<string, Holder>();
  const claims = new Map<string, string>();
  const doubts = new Map<string, Set<string>>();
  const values = new Map<string, string>();
  const trackDoubt = ({ key, doubtIn, resolvedIn }: Change) => {
    doubts.get(resolvedIn ?? '')?.delete(key);
    if (doubtIn !== undefined) doubts.set(doubtIn, (doubts.get(doubtIn) ?? new Set()).add(key));
  };
  const store: Store = {
    async write(change) {
      const { jobId, key, data, lock, isStart, recordId = '', enters = '', leaves = '' } = change;
      if (lock && lock.token !== state.token) return { is: 'lost' };
      if (isStart && state.pausedFor > 0) {
        const wait = state.pausedFor;
        state.pausedFor = 0;
        return { is: 'paused', wait };
      }
      if (enters && (groups.get(enters)?.key ?? key) !== key) return { is: 'busy' };
      if (recordId && (claims.get(recordId) ?? key) !== key) return { is: 'claimed' };
      if (enters) groups.set(enters, { key, token: state.token });
      if (recordId) claims.set(recordId, key);
      if (groups.get(leaves)?.key === key) groups.delete(leaves);
      trackDoubt(change);
      jobs.set(jobId, data);
      return { is: 'written' };
    },
    find: async (ids) => new Map([...jobs].filter(([id]) => ids.includes(id))),
    async lock(group, holder, from) {
      const current = groups.get(group) ?? holder;
      const isFree = current.key === holder.key || current.key === from?.key;
      groups.set(group, isFree ? holder : current);
      return isFree ? holder : current;
    },
    async unlock(group, { key }) {
      if (groups.get(group)?.key === key) groups.delete(group);
    },
    claimant: async (recordId) => claims.get(recordId),
    inDoubt: async (group) => [...(doubts.get(group) ?? [])],
    async putIfAbsent(name, value) {
      if (!values.has(name)) values.set(name, value);
      return values.get(name) as string;
    },
    async put(name, value) {
      values.set(name, value);
    },
    get: async (name) => values.get(name),
    async pause(milliseconds) {
      state.pauses.push(milliseconds);
    },
    async reserve(interval) {
      state.reserved++;
      state.interval = interval;
      return state.wait;
    },
    async deleteAll() {},
  };
  return { store, state };
}

interface Row {
  id: string;
}

interface ProcessorSetup {
  create?: ImportTarget<Row, Row>['create'];
  toPayload?: ImportTarget<Row, Row>['toPayload'];
  lookup?: ImportTarget<Row, Row>['lookup'];
  settings?: Parameters<typeof attemptSettings>[0];
  /** The state of every other job. */
  otherJobs?: string;
  onFatal?: ((error: unknown) => unknown) | undefined;
  maxOutage?: number;
  requestsPerMinute?: number;
}

/** Creates a row processor and a job for row `a`, without a database. */
export function fakeProcessor({
  create = async () => ({ id: 'thing_1' }),
  toPayload = (row) => row,
  lookup,
  settings = {},
  otherJobs,
  onFatal,
  maxOutage = 0,
  requestsPerMinute,
}: ProcessorSetup = {}) {
  const queue = {
    name: 'tickets',
    getJobState: async () => otherJobs ?? 'unknown',
    pause: vi.fn(async () => {}),
  };
  const jobs = new Map<string, RowJob<unknown>>();
  const { store, state } = fakeStore(jobs);
  const ledger = new BullmqLedger(queue as unknown as Queue, store);
  const newJob = (id: string) => {
    const data: RowJob<Row> = { key: id, row: { id } };
    jobs.set(rowJobId(id), data);
    return {
      data,
      attemptsStarted: 1,
      extendLock: vi.fn(async (token: string, _duration: number) => Number(token === state.token)),
      moveToDelayed: vi.fn(async (_timestamp: number, _token: string) => {}),
      moveToWait: vi.fn(async (_token: string) => {}),
    };
  };
  const job = newJob('a');
  const workerSettings = { ...attemptSettings(settings), stalledAfter: 5000, maxOutage, requestsPerMinute };
  const requests = new WorkerRequests(workerSettings, ledger, store);
  const options = {
    target: { scope: 'things', toPayload, create, lookup } satisfies ImportTarget<Row, Row>,
    onFatal,
    settings: workerSettings,
    requests,
    bullmq: { DelayedError, UnrecoverableError, WaitingError },
    queue: queue as unknown as Queue<RowJob<Row>>,
    ledger,
  };
  const process = (one = job, token = 'token') =>
    processRow(options, one as unknown as Job<RowJob<Row>>, token);
  return { process, requests, newJob, job, queue, ledger, store, state };
}
