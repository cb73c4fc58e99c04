import { createHash } from 'node:crypto';

/** The id of a row's job: BullMQ ignores a job whose id is there already, so a row is added once. */
export const rowJobId = (key: string): string => `row-${digest(key)}`;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
