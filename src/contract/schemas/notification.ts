import * as z from 'zod/mini';
import { isAppPath } from '../app-path.js';
import { lazy } from '../lazy.js';
import { listOf } from '../zod-internals.js';
import { ids, number, type Schema, string, text } from './fields.js';

/** What became of a notification: counts, and one id for each recipient. */
export interface NotificationReceipt {
  /** Recipients whose notification waits to be sent. */
  queued: number;
  /** Recipients whose notification is out already. */
  sent: number;
  /** One id a recipient, in the order they were named. */
  notification_ids: string[];
}

export interface SendNotification {
  /** 1 to 100 users of the organization; one named twice counts once. */
  user_ids: string[];
  /** At most 180 characters. */
  title: string;
  /** At most 2,000 characters. */
  body: string;
  /** An internal path: `/app` or below it. */
  url?: string | null | undefined;
}

export const notificationReceipt = lazy<Schema<NotificationReceipt>>(() =>
  z.looseObject({
    queued: number(),
    sent: number(),
    notification_ids: ids(),
  }),
);

export const sendNotification = lazy<Schema<SendNotification>>(() =>
  z.strictObject({
    user_ids: listOf(string()).check(z.minLength(1), z.maxLength(100)),
    title: text(180),
    body: text(2000),
    url: z.optional(
      z.nullable(
        z.string().check(
          z.refine(isAppPath, {
            error: 'must be an internal path, /app or below it',
            params: { code: 'invalid_url' },
          }),
        ),
      ),
    ),
  }),
);
