import * as z from 'zod/mini';
import { type Fields, ids, number, string, text } from './fields.js';
import { lazy } from './lazy.js';
import { limits } from './limits.js';
import { operation } from './operation.js';
import { listOf, type Schema } from './zod-internals.js';

/** The result of sending a notification, with one notification ID per recipient. */
export interface NotificationReceipt {
  /** The number of notifications waiting to be sent. */
  queued: number;
  /** The number of notifications already sent. */
  sent: number;
  /** One ID per recipient, in the same order as `user_ids`. */
  notification_ids: string[];
}

export interface SendNotification {
  /** The IDs of 1 to 100 users in the organization. Duplicates are ignored. */
  user_ids: string[];
  /** At most 180 characters. */
  title: string;
  /** At most 2,000 characters. */
  body: string;
  /** An internal path: `/app` or a path under it. */
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
    user_ids: listOf(string()).check(z.minLength(1), z.maxLength(limits.notification.user_ids)),
    title: text(limits.notification.title),
    body: text(limits.notification.body),
    url: z.optional(
      z.nullable(
        z.string().check(
          z.refine(isAppPath, {
            error: 'must be an internal path under /app',
            params: { code: 'invalid_url' },
          }),
        ),
      ),
    ),
  } satisfies Fields<SendNotification>),
);

export const notificationOperations = /* @__PURE__ */ (() => ({
  'notifications.send': operation({
    summary: "Notify the organization's users",
    number: 29,
    method: 'POST',
    path: '/organizations/{organization}/notifications',
    scope: 'notifications:write',
    status: 201,
    body: sendNotification,
    response: notificationReceipt,
    errorCodes: ['invalid_recipient', 'invalid_url'],
  }),
}))();

const here = 'https://app.invalid';

/**
 * Whether a notification's `url` is an internal path: `/app` or a path under it. The path is resolved as a
 * browser would resolve it, so `/app/../admin`, `//elsewhere`, and `/\elsewhere` are rejected.
 */
function isAppPath(url: string): boolean {
  if (!url.startsWith('/')) return false;
  try {
    const { origin, pathname } = new URL(url, here);
    return origin === here && (pathname === '/app' || pathname.startsWith('/app/'));
  } catch {
    return false;
  }
}
