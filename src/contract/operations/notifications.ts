import { operation } from '../operation.js';
import { notificationReceipt, sendNotification } from '../schemas/notification.js';

export const notificationOperations = /* @__PURE__ */ (() => ({
  'notifications.send': operation({
    number: 29,
    method: 'POST',
    path: '/organizations/{organization}/notifications',
    scope: 'notifications:write',
    status: 201,
    body: sendNotification,
    response: notificationReceipt,
    errorCodes: ['validation_failed', 'invalid_recipient', 'invalid_url'],
  }),
}))();
