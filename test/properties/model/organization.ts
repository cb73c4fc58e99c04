import { actorOf, instant, type ModelRule, type ModelRules, once, rejectIf } from './rule.js';

/** Operations for the organization and its projects, notifications, and comments. */
export const organizationModel: Pick<
  ModelRules,
  | 'organization.get'
  | 'projects.list'
  | 'projects.create'
  | 'notifications.send'
  | 'tickets.comments.create'
  | 'documents.comments.create'
> = {
  'organization.get': ({ organization }) => organization.fields,

  'projects.list': ({ model, organization }) =>
    [...model.projects.values()]
      .filter(({ deleted, fields }) => !deleted && fields.organization_id === organization.fields.id)
      .map(({ fields }) => fields),

  'projects.create'({ model, organization, body, actual }) {
    const { name, key, description = null } = body;
    const fields = {
      id: actual.id,
      organization_id: organization.fields.id,
      name,
      key,
      description,
      archived_at: null,
      created_at: instant(model),
      updated_at: instant(model),
    };
    model.projects.set(actual.id, {
      fields,
      members: [],
      labels: [],
      boards: [],
      lastNumber: 0,
      deleted: false,
    });
    return fields;
  },

  'notifications.send'({ organization, body, actual }) {
    const recipients = once<string>(body.user_ids);
    rejectIf({
      invalid_recipient: !recipients.every((id) => organization.users.some((user) => user.id === id)),
    });
    const { queued, sent } = actual as unknown as { queued: number; sent: number };
    return {
      queued: recipients.length - sent,
      sent: recipients.length - queued,
      notification_ids: once(actual.notification_ids ?? []).slice(0, recipients.length),
    };
  },

  'tickets.comments.create': comment('ticket'),
  'documents.comments.create': comment('document'),
};

function comment(subject: 'ticket' | 'document'): ModelRule {
  return ({ model, credential, ids, body, actual }) => ({
    id: actual.id,
    [`${subject}_id`]: ids[subject],
    body_html: body.body_html,
    author: actorOf(credential),
    created_at: instant(model),
  });
}
