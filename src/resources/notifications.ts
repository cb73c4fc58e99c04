import type { NotificationReceipt, SendNotification } from '../contract/index.js';
import { Resource } from '../http/operation-client.js';
import type { ApiPromise } from '../http/read-response.js';
import type { CallOptions } from '../options.js';

/** Notifications for the organization's users. */
export class Notifications extends Resource {
  /**
   * Sends a notification to up to 100 users in the organization. Requires the `notifications:write` scope.
   *
   * The call isn't retried if the response is lost, because users could then be notified twice.
   *
   * @param body the title (up to 180 characters), the body (up to 2,000), and `url`, an internal path under
   * `/app`
   * @throws {@link UnprocessableError} if a user is unknown or the URL is invalid (`invalid_recipient`,
   * `invalid_url`)
   *
   * @example
   * ```ts
   * const receipt = await client.notifications.send({
   *   user_ids: ['usr_ada'], title: 'Launch moved', body: 'It is Friday now.', url: '/app/tickets/tkt_1',
   * });
   * ```
   */
  send(body: SendNotification, options?: CallOptions): ApiPromise<NotificationReceipt> {
    return this.operations.call('notifications.send', { body }, options);
  }
}
