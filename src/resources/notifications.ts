import type { NotificationReceipt, SendNotification } from '../contract/index.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { CallOptions } from '../options.js';
import { Resource } from './resource.js';

/** Notifications to users of the organization. */
export class Notifications extends Resource {
  /**
   * Notifies 1 to 100 users of the organization. Scope `notifications:write`.
   *
   * Not repeated when its answer is lost: the users would be notified twice.
   *
   * @param body title up to 180 characters, body up to 2,000, `url` a path at or below `/app`
   * @throws UnprocessableError `invalid_recipient`, `invalid_url`
   *
   * @example
   * ```ts
   * const receipt = await client.notifications.send({
   *   user_ids: ['usr_ada'], title: 'Launch moved', body: 'It is Friday now.', url: '/app/tickets/tkt_1',
   * });
   * ```
   */
  send(body: SendNotification, options?: CallOptions): ApiPromise<NotificationReceipt> {
    return this.call('notifications.send', { body }, options);
  }
}
