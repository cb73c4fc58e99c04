import * as z from 'zod/mini';
import {
  dateTime,
  documentDefaults,
  type OperationId,
  operationOf,
  parseDateTime,
  roles,
  type Schema,
  scopes,
  ticketDefaults,
} from '../../src/contract/index.js';
import { definitionOf, listOf } from '../../src/contract/zod-internals.js';
import type { BoardTemplate } from '../state/rows.js';
import type {
  BoardSeed,
  CommentSeed,
  CredentialSeed,
  DocumentSeed,
  LabelSeed,
  NotificationSeed,
  OrganizationSeed,
  ProjectSeed,
  TagSeed,
  TicketSeed,
  UserSeed,
  World,
  WorldSettings,
} from './world.js';

/** Creates a strict schema for a seed type. Omitting a field is a compile error. */
const seedOf = <Seed>(shape: { [Field in keyof Required<Seed>]: z.core.$ZodType }) => z.strictObject(shape);

/** Returns the contract's schema for a request body field, including its limits. */
const field = (id: OperationId, name: string): Schema<unknown> =>
  definitionOf(operationOf(id).body as object).shape?.[name] as Schema<unknown>;

/** Returns the contract's schemas for several request body fields. */
const fields = <Names extends object>(id: OperationId, names: Names) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, field(id, name)])) as {
    [Name in keyof Names]: Schema<unknown>;
  };

const id = z.optional(
  z.string().check(
    z.refine(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the schema rejects them
      (value) => !/^\.{0,2}$|[\0-\x1f]/.test(value),
      'must be a non-empty ID without control characters, and not "." or ".."',
    ),
  ),
);

const instant = z.pipe(
  dateTime(),
  z.transform((text: string) => (parseDateTime(text) as Date).toISOString()),
);
const maybeDateTime = z.optional(z.nullable(instant));
const timestamps = { created_at: z.optional(instant), updated_at: z.optional(instant) };
const text = z.optional(z.string());
const maybeText = z.optional(z.nullable(z.string()));
const names = z.optional(listOf(z.string()));
const list = (item: z.ZodMiniType) => z.optional(listOf(item));

const tag = seedOf<TagSeed>({ id, name: z.string() });

const label = seedOf<LabelSeed>({ id, name: z.string(), color: maybeText });

const ticket = seedOf<TicketSeed>({
  id,
  title: field('tickets.create', 'title'),
  number: z.optional(z.int().check(z.minimum(1))),
  ...fields('tickets.create', ticketDefaults),
  due_at: maybeDateTime,
  started_at: maybeDateTime,
  completed_at: maybeDateTime,
  archived_at: maybeDateTime,
  creator: maybeText,
  assignees: names,
  labels: names,
  tags: names,
  ...timestamps,
});

const boardFields = {
  name: field('boards.create', 'name'),
  slug: text,
  color: field('boards.create', 'color'),
  wip_limit: field('boards.create', 'wip_limit'),
  is_done: field('boards.create', 'is_done'),
  is_hidden: field('boards.update', 'is_hidden'),
};

const board = seedOf<BoardSeed>({ id, ...boardFields, tickets: list(ticket), ...timestamps });

const project = seedOf<ProjectSeed>({
  id,
  name: field('projects.create', 'name'),
  key: z.optional(field('projects.create', 'key')),
  description: field('projects.create', 'description'),
  archived_at: maybeDateTime,
  members: names,
  labels: list(label),
  tags: list(tag),
  boards: list(board),
  ...timestamps,
});

const document = seedOf<DocumentSeed>({
  id,
  title: field('documents.create', 'title'),
  project: maybeText,
  ...fields('documents.create', documentDefaults),
  published_at: maybeDateTime,
  archived_at: maybeDateTime,
  author: maybeText,
  editors: field('documents.create', 'editor_ids'),
  tags: field('documents.create', 'tag_names'),
  ...timestamps,
});

const comment = seedOf<CommentSeed>({
  id,
  ticket: text,
  document: text,
  body_html: z.optional(field('tickets.comments.create', 'body_html')),
  author: text,
  created_at: z.optional(instant),
});

const notification = seedOf<NotificationSeed>({
  id,
  user: text,
  title: z.optional(field('notifications.send', 'title')),
  body: z.optional(field('notifications.send', 'body')),
  url: field('notifications.send', 'url'),
  created_at: z.optional(instant),
});

const user = seedOf<UserSeed>({
  id,
  name: z.string(),
  email: text,
  role: z.optional(z.enum(roles)),
});

const credential = seedOf<CredentialSeed>({
  id,
  token: z
    .string()
    .check(z.refine((token) => /^[!-~]+$/.test(token), 'must be printable ASCII characters without spaces')),
  name: text,
  scopes: z.optional(listOf(z.enum([...scopes, '*']))),
});

const organization = seedOf<OrganizationSeed>({
  id,
  name: z.string(),
  users: list(user),
  credentials: list(credential),
  projects: list(project),
  documents: list(document),
  tags: list(tag),
  ...timestamps,
});

const settings = seedOf<WorldSettings>({
  default_boards: list(seedOf<BoardTemplate>(boardFields)),
  slug_style: z.optional(z.enum(['kebab-case', 'snake_case'])),
  default_board: text,
});

const inOrganization = { organization: text };
const inProject = { project: text };

/**
 * The seed data schemas, keyed by kind of record. They reject unknown fields and convert dates to UTC.
 * Schemas for records that are added to a running server also accept the parent, such as the board of a
 * ticket.
 */
export const seedSchemas = {
  world: seedOf<World>({
    $schema: text,
    about: names,
    organizations: listOf(organization),
    settings: z.optional(settings),
  }),
  organization,
  user: z.extend(user, inOrganization),
  credential: z.extend(credential, inOrganization),
  project: z.extend(project, inOrganization),
  label: z.extend(label, inProject),
  board: z.extend(board, inProject),
  ticket: z.extend(ticket, { board: text }),
  document: z.extend(document, inOrganization),
  comment,
  notification,
};
