import * as z from 'zod/mini';
import {
  type OperationId,
  operationOf,
  parseDateTime,
  roles,
  type Schema,
  scopes,
} from '../../src/contract/index.js';

/** A field of a body of the contract, so that a limit stands in one place. */
const field = (id: OperationId, name: string): Schema<unknown> =>
  (operationOf(id).body as unknown as z.ZodMiniObject)._zod.def.shape[name] as Schema<unknown>;

const id = z.optional(
  z.string().check(
    z.refine(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
      (value) => !/^\.{0,2}$|[\0-\x1f]/.test(value),
      'must be an id: not empty, not "." nor "..", no control characters',
    ),
  ),
);

const moment = z.pipe(
  z.string().check(z.refine((text) => parseDateTime(text) !== undefined, 'must be a date-time (RFC 3339)')),
  z.transform((text: string) => parseDateTime(text)?.toISOString()),
);
const maybeMoment = z.optional(z.nullable(moment));
const timestamps = { created_at: z.optional(moment), updated_at: z.optional(moment) };
const names = z.optional(z.array(z.string()));
const list = (item: z.core.$ZodType) => z.optional(z.array(item));

const tag = z.strictObject({ id, name: z.string() });

const label = z.strictObject({
  id,
  name: z.string(),
  color: z.optional(z.nullable(z.string())),
});

const ticket = z.strictObject({
  id,
  title: field('tickets.create', 'title'),
  number: z.optional(z.int().check(z.minimum(1))),
  description_html: field('tickets.create', 'description_html'),
  priority: field('tickets.create', 'priority'),
  due_at: maybeMoment,
  started_at: maybeMoment,
  completed_at: maybeMoment,
  archived_at: maybeMoment,
  creator: z.optional(z.nullable(z.string())),
  assignees: names,
  labels: names,
  tags: names,
  ...timestamps,
});

const board = z.strictObject({
  id,
  name: field('boards.create', 'name'),
  slug: z.optional(z.string()),
  color: field('boards.create', 'color'),
  wip_limit: field('boards.create', 'wip_limit'),
  is_done: field('boards.create', 'is_done'),
  is_hidden: field('boards.update', 'is_hidden'),
  tickets: list(ticket),
  ...timestamps,
});

const project = z.strictObject({
  id,
  name: field('projects.create', 'name'),
  key: z.optional(field('projects.create', 'key')),
  description: field('projects.create', 'description'),
  archived_at: maybeMoment,
  members: names,
  labels: list(label),
  tags: list(tag),
  boards: list(board),
  ...timestamps,
});

const document = z.strictObject({
  id,
  title: field('documents.create', 'title'),
  project: z.optional(z.nullable(z.string())),
  caption: field('documents.create', 'caption'),
  content_html: field('documents.create', 'content_html'),
  status: field('documents.create', 'status'),
  published_at: maybeMoment,
  archived_at: maybeMoment,
  author: z.optional(z.nullable(z.string())),
  editors: field('documents.create', 'editor_ids'),
  tags: field('documents.create', 'tag_names'),
  ...timestamps,
});

const user = z.strictObject({
  id,
  name: z.string(),
  email: z.optional(z.string()),
  role: z.optional(z.enum(roles)),
});

const credential = z.strictObject({
  id,
  token: z
    .string()
    .check(z.refine((token) => /^[!-~]+$/.test(token), 'must be visible ASCII characters without spaces')),
  name: z.optional(z.string()),
  scopes: z.optional(z.array(z.enum([...scopes, '*']))),
});

const organization = z.strictObject({
  id,
  name: z.string(),
  users: list(user),
  credentials: list(credential),
  projects: list(project),
  documents: list(document),
  tags: list(tag),
  ...timestamps,
});

/** The schemas of seeds by what they are of; unknown fields are refused, dates become UTC. */
export const seedSchemas = {
  world: z.strictObject({ organizations: z.array(organization) }),
  organization,
  user,
  credential,
  project,
  label,
  board,
  ticket,
  document,
};
