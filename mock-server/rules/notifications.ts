import type { FieldErrors } from '../../src/contract/index.js';
import { unique } from './changes.js';
import { invalidFields } from './error-response.js';
import type { RulesOf } from './rule.js';

export const notificationRules: RulesOf<'notifications'> = {
  'notifications.send'({ state, organization, body }) {
    const errors: FieldErrors = {};
    body.user_ids.forEach((id, index) => {
      if (state.users.get(id)?.organization_id === organization.id) return;
      errors[`user_ids.${index}`] = [`${JSON.stringify(id)} is no user of this organization`];
    });
    if (Object.keys(errors).length > 0) throw invalidFields('invalid_recipient', errors);
    const notification_ids = unique(body.user_ids).map((user_id) => {
      const id = state.newId(state.notifications);
      state.notifications.put(id, {
        id,
        organization_id: organization.id,
        user_id,
        title: body.title,
        body: body.body,
        url: body.url ?? null,
        created_at: state.clock.iso(),
      });
      return id;
    });
    return { queued: notification_ids.length, sent: 0, notification_ids };
  },
};
