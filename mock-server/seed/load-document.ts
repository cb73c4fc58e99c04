import { type DocumentStatus, documentDefaults } from '../../src/contract/index.js';
import { documentTag, putDocument } from '../state/documents.js';
import { type DocumentRow, fillDefaults } from '../state/rows.js';
import {
  describeOrganization,
  findActor,
  idFor,
  type Lookup,
  type SeedContext,
  timestampsOf,
  uniqueById,
} from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { DocumentSeed } from './world.js';

/** Adds a document to an organization. */
export function loadDocument(
  context: SeedContext,
  seed: DocumentSeed,
  projects: Lookup<{ id: string; name: string }>,
): DocumentRow {
  const { state, organization, users, path } = context;
  const {
    id: wantedId,
    title,
    project,
    author: authorName,
    editors = [],
    tags = [],
    ...otherFields
  } = seed as DocumentSeed & { status?: DocumentStatus };
  const { published_at, archived_at = null, created_at, updated_at, ...fields } = otherFields;
  const content = fillDefaults(documentDefaults, fields);
  const times = timestampsOf(state, { created_at, updated_at });
  const user = (text: string, field: string) => {
    const { id, name } = users.find(text, `${path}.${field}`, describeOrganization(context));
    return { id, name };
  };
  const author = typeof authorName === 'string' ? findActor(context, authorName, 'author') : null;
  const isCredential = author?.type === 'api_credential';
  if (content.status === 'draft' && typeof published_at === 'string') {
    throw new SeedError(`${path}.published_at`, 'is invalid for a draft; set the status to "published"');
  }
  const row: DocumentRow = {
    id: idFor(state, state.documents, wantedId, path),
    organization_id: organization,
    project_id:
      typeof project === 'string'
        ? projects.find(project, `${path}.project`, describeOrganization(context)).id
        : null,
    author_id: author && !isCredential ? author.id : null,
    author,
    api_credential_id: author && isCredential ? author.id : null,
    title,
    ...content,
    tags: [...new Set(tags)].map((name) => documentTag(state, organization, name)),
    editors: uniqueById(editors.map((text, index) => user(text, `editors[${index}]`))),
    published_at:
      published_at === undefined && content.status === 'published'
        ? times.created_at
        : (published_at ?? null),
    archived_at,
    ...times,
    deleted_at: null,
    ordinal: state.nextOrdinal(),
  };
  putDocument(state, row);
  return row;
}
