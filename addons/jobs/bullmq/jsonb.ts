import type { Queue } from 'bullmq';
import { isOnPostgres } from './connection.js';

/** Converts data to JSON. Replaces the characters that Postgres rejects: NUL and lone surrogates. */
export function toJsonb(data: unknown): string {
  const json = JSON.stringify(data);
  if (!/\\u(?:0000|d[89a-f])/i.test(json)) return json;
  const clean = (text: string) => text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
  return JSON.stringify(data, (_, value) => (typeof value === 'string' ? clean(value) : value));
}

/** Replaces the characters in a job that the queue's database would reject. BullMQ doesn't do this itself. */
export const toStorable = <Job>(queue: Pick<Queue, 'getBackend'>, job: Job): Job =>
  isOnPostgres(queue as Queue) ? JSON.parse(toJsonb(job)) : job;
