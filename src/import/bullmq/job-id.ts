import { createHash } from 'node:crypto';

/** The ID of a row's job. BullMQ ignores a job whose ID already exists, so a row is added only once. */
export const rowJobId = (key: string): string => `row-${digest(key)}`;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
