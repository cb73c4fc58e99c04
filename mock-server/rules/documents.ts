import { type Document, documentDefaults, type Reference } from '../../src/contract/index.js';
import { documentTag, findDocuments, putDocument } from '../state/documents.js';
import { type DocumentRow, fillDefaults } from '../state/rows.js';
import type { State } from '../state/state.js';
import { archivedAt, changed, createComment, unique } from './changes.js';
import { Relations } from './relations.js';
import { pageOf, type RulesOf } from './rule.js';
import { actor, documentTexts, viewDocument } from './views.js';

export const documentRules: RulesOf<'documents'> = {
  'documents.list'({ state, organization, query }) {
    const { from, count } = pageOf(query);
    const { key, passes } = findDocuments(state, organization.id, {
      project_id: query.project_id,
      status: query.status,
      tags: namesOf(query.tags),
    });
    const view = (slots: number[]) => slots.map((slot) => viewDocument(state.documents.at(slot)));
    if (!passes && !query.q) {
      const slots = state.documentOrder.slice(key, from, count);
      return { items: view(slots), total: state.documentOrder.length(key) };
    }
    const contains = state.documentTexts.matcher(query.q ?? '', documentTexts);
    const found = state.documentOrder
      .slice(key)
      .filter((slot) => contains(slot) && (!passes || passes(state.documents.at(slot))));
    return { items: view(found.slice(from, from + count)), total: found.length };
  },

  'documents.create'({ state, organization, credential, body }) {
    const { title, project_id = null, editor_ids, tag_names, ...fields } = body;
    const content = fillDefaults(documentDefaults, fields);
    const relations = new Relations();
    const editors = relations.editors(state, organization.id, editor_ids) ?? [];
    relations.project(state, organization.id, project_id);
    relations.check();
    const now = state.clock.iso();
    const row: DocumentRow = {
      id: state.newId(state.documents),
      organization_id: organization.id,
      project_id,
      author_id: null,
      author: actor(credential),
      api_credential_id: credential.id,
      title,
      ...content,
      tags: tagsOf(state, organization.id, tag_names) ?? [],
      editors,
      published_at: content.status === 'published' ? now : null,
      archived_at: null,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      ordinal: state.nextOrdinal(),
    };
    putDocument(state, row);
    return viewDocument(row);
  },

  'documents.get': ({ document }) => viewDocument(document),

  'documents.update'({ state, document, body: { archived, editor_ids, tag_names, ...body } }) {
    const { organization_id } = document;
    const relations = new Relations();
    const editors = relations.editors(state, organization_id, editor_ids);
    // If `project_id` doesn't change, it's valid even if the project has been deleted.
    if (body.project_id !== document.project_id) {
      relations.project(state, organization_id, body.project_id);
    }
    relations.check();
    const now = state.clock.iso();
    const changes = {
      ...body,
      editors,
      tags: tagsOf(state, organization_id, tag_names),
      published_at: publishedAt(document, body.status, now),
      archived_at: archivedAt(document.archived_at, archived, now),
    };
    const row = changed(document, changes, now);
    putDocument(state, row);
    return viewDocument(row);
  },

  'documents.delete'({ state, document }) {
    putDocument(state, { ...document, deleted_at: state.clock.iso() });
  },

  'documents.comments.create': ({ state, document, credential, body }) =>
    createComment(state, { document_id: document.id }, credential, body.body_html),
};

/** Returns the new value of `published_at`, which changes only if the status changes. */
function publishedAt(
  { status, published_at }: Document,
  next: string | undefined,
  now: string,
): string | null {
  if (next === undefined || next === status) return published_at;
  return next === 'published' ? now : null;
}

const tagsOf = (
  state: State,
  organization: string,
  names: readonly string[] | undefined,
): Reference[] | undefined => names && unique(names).map((name) => documentTag(state, organization, name));

/** Splits a `tags` filter into names. Trims the names and drops empty ones. */
const namesOf = (tags: string | undefined): string[] =>
  (tags ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
