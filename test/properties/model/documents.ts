import {
  actorOf,
  archivedAt,
  change,
  instant,
  type ModelCall,
  type ModelRules,
  matches,
  once,
  page,
  referTo,
  rejectIf,
} from './rule.js';
import type { Model, ModelDocument } from './state.js';

export const documentModel: Omit<
  Pick<ModelRules, Extract<keyof ModelRules, `documents.${string}`>>,
  'documents.comments.create'
> = {
  'documents.list'({ model, organization, query }) {
    const tagNames = (query.tags ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const found = [...model.documents.values()]
      .filter(({ deleted, fields }) => !deleted && fields.organization_id === organization.fields.id)
      .map(({ fields }) => fields)
      .filter(({ project_id }) => query.project_id === undefined || project_id === query.project_id)
      .filter(({ status }) => query.status === undefined || status === query.status)
      .filter(({ tags }) =>
        tagNames.every((name) => (tags as { name: string }[]).some((tag) => tag.name === name)),
      )
      .filter(({ title, caption, content_html }) => matches(query.q, [title, caption], content_html));
    return page(found, query);
  },

  'documents.create'(call) {
    const { model, organization, credential, body, actual } = call;
    const { tags = [], editors = [] } = relations(call);
    const { project_id = null, title, caption = null, content_html = null } = body;
    const status: string = body.status ?? 'draft';
    const fields = {
      id: actual.id,
      organization_id: organization.fields.id,
      project_id,
      author_id: null,
      author: actorOf(credential),
      api_credential_id: credential.id,
      title,
      caption,
      content_html,
      status,
      tags,
      editors,
      published_at: status === 'published' ? instant(model) : null,
      archived_at: null,
      created_at: instant(model),
      updated_at: instant(model),
    };
    model.documents.set(actual.id, { fields, deleted: false });
    return fields;
  },

  'documents.get': ({ model, ids }) => documentOf(model, ids.document).fields,

  'documents.update'(call) {
    const { model, ids, body } = call;
    const { fields } = documentOf(model, ids.document);
    const { tags, editors } = relations(call);
    const { project_id, title, caption, content_html, status } = body;
    const archived_at = archivedAt(model, fields, body.archived);
    const published_at =
      status === undefined || status === fields.status
        ? undefined
        : status === 'published'
          ? instant(model)
          : null;
    const changes = {
      project_id,
      title,
      caption,
      content_html,
      status,
      tags,
      editors,
      published_at,
      archived_at,
    };
    change(model, fields, changes);
    return fields;
  },

  'documents.delete'({ model, ids }) {
    documentOf(model, ids.document).deleted = true;
  },
};

function documentOf(model: Model, id: string): ModelDocument {
  const document = model.documents.get(id);
  if (!document) throw new Error(`the model has no document ${id}`);
  return document;
}

/** Resolves the body's tags and editors, and rejects unknown editors and projects. */
function relations({ model, organization, ids, body, actual }: ModelCall) {
  const {
    project_id,
    editor_ids,
    tag_names,
  }: { project_id?: string; editor_ids?: string[]; tag_names?: string[] } = body;
  const project = typeof project_id === 'string' ? model.projects.get(project_id) : undefined;
  const exists = project && !project.deleted && project.fields.organization_id === organization.fields.id;
  const isUnchanged =
    ids.document !== undefined && documentOf(model, ids.document).fields.project_id === project_id;
  rejectIf({
    invalid_relation:
      (typeof project_id === 'string' && !exists && !isUnchanged) ||
      !(editor_ids ?? []).every((id) => organization.users.some((user) => user.id === id)),
  });
  return {
    editors: editor_ids && referTo(organization.users, editor_ids),
    tags:
      tag_names && once(tag_names).map((name) => ({ id: tagId(organization.tags, name, actual.tags), name })),
  };
}

/** Returns a tag's ID. The server chooses a new tag's ID, which must be unique. */
function tagId(
  known: Map<string, string>,
  name: string,
  returned: { id: string; name: string }[] = [],
): string {
  const chosen = known.get(name) ?? returned.find((tag) => tag.name === name)?.id;
  if (chosen === undefined || [...known].some(([other, id]) => id === chosen && other !== name))
    throw new Error(`the response has no unique ID for the tag ${name}`);
  known.set(name, chosen);
  return chosen;
}
