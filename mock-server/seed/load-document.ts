import type { DocumentStatus } from '../../src/contract/index.js';
import { documentTag, putDocument } from '../state/documents.js';
import type { DocumentRow } from '../state/rows.js';
import type { Lookup } from './lookup.js';
import { describeOrganization, idFor, type SeedContext, timestampsOf, uniqueById } from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { DocumentSeed } from './world.js';

/** Adds a document to an organization. */
export function loadDocument(
  context: SeedContext,
  seed: DocumentSeed,
  projects: Lookup<{ id: string; name: string }>,
): DocumentRow {
  const { state, organization, users, path } = context;
  const times = timestampsOf(state, seed);
  const user = (text: string, field: string) => {
    const { id, name } = users.find(text, `${path}.${field}`, describeOrganization(context));
    return { id, name };
  };
  const author = typeof seed.author === 'string' ? user(seed.author, 'author') : null;
  const status = seed.status ?? 'draft';
  if (status === 'draft' && typeof seed.published_at === 'string') {
    throw new SeedError(`${path}.published_at`, 'a draft has none; set the status to "published"');
  }
  const row: DocumentRow = {
    id: idFor(state, state.documents, seed.id, path),
    organization_id: organization,
    project_id:
      typeof seed.project === 'string'
        ? projects.find(seed.project, `${path}.project`, describeOrganization(context)).id
        : null,
    author_id: author?.id ?? null,
    author: author && { type: 'user', ...author },
    api_credential_id: null,
    title: seed.title,
    caption: seed.caption ?? null,
    content_html: seed.content_html ?? null,
    status: status as DocumentStatus,
    tags: [...new Set(seed.tags ?? [])].map((name) => documentTag(state, organization, name)),
    editors: uniqueById((seed.editors ?? []).map((text, index) => user(text, `editors[${index}]`))),
    published_at:
      seed.published_at === undefined && status === 'published'
        ? times.created_at
        : (seed.published_at ?? null),
    archived_at: seed.archived_at ?? null,
    ...times,
    deleted_at: null,
    ordinal: state.nextOrdinal(),
  };
  putDocument(state, row);
  return row;
}
