import { inQuotes } from '../../src/shared/quote.js';
import { unique } from './changes.js';
import { FieldErrorList } from './rejected-request.js';
import type { RulesOf } from './rule.js';
import { viewOrganization } from './views.js';

export const organizationRules: RulesOf<'organization'> = {
  'organization.get': ({ organization }) => viewOrganization(organization),
};

export const notificationRules: RulesOf<'notifications'> = {
  'notifications.send'({ state, organization, body }) {
    const errors = new FieldErrorList();
    body.user_ids.forEach((id, index) => {
      if (state.users.get(id)?.organization_id === organization.id) return;
      errors.addItem('user_ids', index, `${inQuotes(id)} is not a user in this organization`);
    });
    errors.throwIfAny('invalid_recipient');
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
