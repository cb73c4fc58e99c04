import * as z from 'zod/mini';
import { andMore, describedErrors } from '../field-errors.js';
import { lazy } from '../lazy.js';
import { listOf } from '../zod-internals.js';
import {
  lenientEnum,
  nullableString,
  nullableText,
  optionalBoolean,
  optionalString,
  type Schema,
  string,
  text,
} from './fields.js';
import { perPage } from './page.js';
import { type Actor, actor, type Reference, reference } from './people.js';

export const documentStatuses = ['draft', 'published'] as const;

/** A document's status; every change between the two is allowed. */
export type DocumentStatus = (typeof documentStatuses)[number];

/** A document of an organization, with or without a project. */
export interface Document {
  id: string;
  organization_id: string;
  project_id: string | null;
  /** The user who wrote it; null for a document a credential created. */
  author_id: string | null;
  author: Actor | null;
  /** The credential that created it; null for a document a user wrote. */
  api_credential_id: string | null;
  title: string;
  caption: string | null;
  content_html: string | null;
  status: DocumentStatus;
  tags: Reference[];
  editors: Reference[];
  /** When it last became published; null while it is a draft. */
  published_at: string | null;
  archived_at: string | null;
  created_at: string;
  updated_at: string;
}

interface DocumentFields {
  /** A live project of the organization, or null for none. */
  project_id?: string | null | undefined;
  /** At most 2,000 characters. */
  caption?: string | null | undefined;
  /** At most 1,000,000 characters. */
  content_html?: string | null | undefined;
  /** `draft` or `published`; a new one is `draft` by default. */
  status?: DocumentStatus | undefined;
  /** Users of the organization, at most 100. In an update it replaces the whole list. */
  editor_ids?: string[] | undefined;
  /** At most 20 names of at most 50 characters. In an update it replaces the whole list. */
  tag_names?: string[] | undefined;
}

export interface CreateDocument extends DocumentFields {
  /** At most 500 characters. */
  title: string;
}

export interface UpdateDocument extends DocumentFields {
  /** At most 500 characters. */
  title?: string | undefined;
  /** Archives it, or brings it back; lists and limits take no notice. */
  archived?: boolean | undefined;
}

export interface ListDocumentsQuery {
  /** Only documents of this project. */
  project_id?: string | undefined;
  /** Only documents that are so. */
  status?: DocumentStatus | undefined;
  /** Text that title, caption or content contain, compared without regard to case. */
  q?: string | undefined;
  /** Tag names, all required: an array, or text with commas between the names. */
  tags?: string | string[] | undefined;
  /** Documents a page, 1 to 200; 50 by default. */
  per_page?: number | undefined;
  /** The page to begin with, from 1. */
  page?: number | undefined;
}

/** {@link ListDocumentsQuery} as it is sent: the tag names joined with commas. */
export interface SentDocumentsQuery extends ListDocumentsQuery {
  tags?: string | undefined;
}

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

const title = lazy(() => text(500));

const documentFields = lazy(() => ({
  project_id: z.optional(nullableString()),
  caption: z.optional(nullableText(2000)),
  content_html: z.optional(nullableText(1_000_000)),
  status: z.optional(z.enum(documentStatuses)),
  editor_ids: z.optional(listOf(string()).check(z.maxLength(100))),
  tag_names: z.optional(listOf(text(50)).check(z.maxLength(20))),
}));

export const createDocument = lazy<Schema<CreateDocument>>(() =>
  z.strictObject({
    title: title(),
    ...documentFields(),
  }),
);

export const updateDocument = lazy<Schema<UpdateDocument>>(() =>
  z.strictObject({
    title: z.optional(title()),
    ...documentFields(),
    archived: optionalBoolean(),
  }),
);

/** A string or a list of strings. A union of the two would be larger than the rest of this schema. */
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
  }),
);
