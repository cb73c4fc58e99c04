import * as z from 'zod/mini';
import { createComment, documentComment } from './comments.js';
import { andMore, describedErrors } from './field-errors.js';
import {
  type Actor,
  actor,
  type Fields,
  lenientEnum,
  nullableString,
  nullableText,
  optionalBoolean,
  optionalString,
  perPage,
  type Reference,
  reference,
  string,
  text,
} from './fields.js';
import { lazy } from './lazy.js';
import { limits } from './limits.js';
import { list, operation } from './operation.js';
import { listOf, type Schema } from './zod-internals.js';

export const documentStatuses = ['draft', 'published'] as const;

/** A document's status. Published documents can become drafts again. */
export type DocumentStatus = (typeof documentStatuses)[number];

/** A document in an organization. It can also belong to a project. */
export interface Document {
  id: string;
  organization_id: string;
  project_id: string | null;
  /** The ID of the user who wrote the document, or null if a credential created it. */
  author_id: string | null;
  author: Actor | null;
  /** The ID of the credential that created the document, or null if a user wrote it. */
  api_credential_id: string | null;
  title: string;
  caption: string | null;
  content_html: string | null;
  status: DocumentStatus;
  tags: Reference[];
  editors: Reference[];
  /** When the document was last published, or null if it is a draft. */
  published_at: string | null;
  archived_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The optional fields of a document that don't refer to other records. */
export interface DocumentContent {
  /** At most 2,000 characters. */
  caption?: string | null | undefined;
  /** At most 1,000,000 characters. */
  content_html?: string | null | undefined;
  /** `draft` or `published`. New documents default to `draft`. */
  status?: DocumentStatus | undefined;
}

interface DocumentFields extends DocumentContent {
  /** The ID of a live project in the organization, or null for no project. */
  project_id?: string | null | undefined;
  /** The IDs of up to 100 users in the organization. An update replaces the entire list. */
  editor_ids?: string[] | undefined;
  /** Up to 20 tag names of at most 50 characters each. An update replaces the entire list. */
  tag_names?: string[] | undefined;
}

export interface CreateDocument extends DocumentFields {
  /** At most 500 characters. */
  title: string;
}

export interface UpdateDocument extends DocumentFields {
  /** At most 500 characters. */
  title?: string | undefined;
  /** Whether the document is archived. Archived documents still appear in lists. */
  archived?: boolean | undefined;
}

export interface ListDocumentsQuery {
  /** Returns only documents in this project. */
  project_id?: string | undefined;
  /** Returns only documents with this status. */
  status?: DocumentStatus | undefined;
  /** Returns only documents whose title, caption, or content contains this text, ignoring case. */
  q?: string | undefined;
  /** Returns only documents that have all of the given tags. Pass an array or a comma-separated string. */
  tags?: string | string[] | undefined;
  /** The number of documents per page, from 1 to 200. The default is 50. */
  per_page?: number | undefined;
  /** The page number. The default is 1. */
  page?: number | undefined;
}

/** {@link ListDocumentsQuery} as sent to the server, with the tag names joined by commas. */
export interface SentDocumentsQuery extends ListDocumentsQuery {
  tags?: string | undefined;
}

/** The default values of a new document's optional fields. */
export const documentDefaults: Pick<Document, keyof DocumentContent> = {
  caption: null,
  content_html: null,
  status: 'draft',
};

export const document = lazy<Schema<Document>>(() =>
  z.looseObject({
    id: string(),
    organization_id: string(),
    project_id: nullableString(),
    author_id: nullableString(),
    author: z.nullable(actor()),
    api_credential_id: nullableString(),
    title: string(),
    caption: nullableString(),
    content_html: nullableString(),
    status: lenientEnum<DocumentStatus>(),
    tags: listOf(reference()),
    editors: listOf(reference()),
    published_at: nullableString(),
    archived_at: nullableString(),
    created_at: string(),
    updated_at: string(),
  }),
);

const title = lazy(() => text(limits.document.title));

const documentFields = lazy(() => ({
  project_id: z.optional(nullableString()),
  caption: z.optional(nullableText(limits.document.caption)),
  content_html: z.optional(nullableText(limits.document.content_html)),
  status: z.optional(z.enum(documentStatuses)),
  editor_ids: z.optional(listOf(string()).check(z.maxLength(limits.document.editor_ids))),
  tag_names: z.optional(listOf(text(limits.document.tag_name)).check(z.maxLength(limits.document.tag_names))),
}));

export const createDocument = lazy<Schema<CreateDocument>>(() =>
  z.strictObject({
    title: title(),
    ...documentFields(),
  } satisfies Fields<CreateDocument>),
);

export const updateDocument = lazy<Schema<UpdateDocument>>(() =>
  z.strictObject({
    title: z.optional(title()),
    ...documentFields(),
    archived: optionalBoolean(),
  } satisfies Fields<UpdateDocument>),
);

/**
 * The schema for a string or a list of strings. It isn't a Zod union, because that would more than double its
 * size in the bundle.
 */
const tagNames = lazy(() =>
  z.pipe(
    z.transform((names: string | string[], { issues }): string => {
      const reject = (message: string, path: number[] = []) =>
        issues.push({ code: 'custom', message, input: names, path });
      if (typeof names === 'string') return names;
      if (Array.isArray(names) && names.every((name) => typeof name === 'string')) {
        const wrong = names.flatMap((name, index) => (name.includes(',') ? [index] : []));
        for (const index of wrong.slice(0, describedErrors)) reject('must not contain a comma', [index]);
        if (wrong.length > describedErrors) reject(andMore(wrong.length - describedErrors, 'invalid items'));
      } else reject('must be a string or a list of strings');
      return `${names}`;
    }),
    string(),
  ),
);

export const listDocumentsQuery = lazy<Schema<SentDocumentsQuery, ListDocumentsQuery>>(() =>
  z.strictObject({
    project_id: optionalString(),
    status: z.optional(z.enum(documentStatuses)),
    q: optionalString(),
    tags: z.optional(tagNames()),
    ...perPage(),
  } satisfies Fields<SentDocumentsQuery>),
);

export const documentOperations = /* @__PURE__ */ (() => ({
  'documents.list': operation({
    summary: "List the organization's documents, oldest first",
    number: 23,
    method: 'GET',
    path: '/organizations/{organization}/documents',
    scope: 'documents:read',
    status: 200,
    query: listDocumentsQuery,
    response: list(document),
    paginated: true,
  }),
  'documents.create': operation({
    summary: 'Create a document',
    number: 24,
    method: 'POST',
    path: '/organizations/{organization}/documents',
    scope: 'documents:write',
    status: 201,
    body: createDocument,
    response: document,
    errorCodes: ['invalid_relation'],
  }),
  'documents.get': operation({
    summary: 'Get a document',
    number: 25,
    method: 'GET',
    path: '/documents/{document}',
    scope: 'documents:read',
    status: 200,
    response: document,
  }),
  'documents.update': operation({
    summary: 'Update, publish, or archive a document',
    number: 26,
    method: 'PATCH',
    path: '/documents/{document}',
    scope: 'documents:write',
    status: 200,
    body: updateDocument,
    response: document,
    errorCodes: ['invalid_relation'],
  }),
  'documents.delete': operation({
    summary: 'Delete a document (soft delete)',
    number: 27,
    method: 'DELETE',
    path: '/documents/{document}',
    scope: 'documents:write',
    status: 204,
  }),
  'documents.comments.create': operation({
    summary: 'Comment on a document',
    number: 28,
    method: 'POST',
    path: '/documents/{document}/comments',
    scope: 'document_comments:write',
    status: 201,
    body: createComment,
    response: documentComment,
  }),
}))();
