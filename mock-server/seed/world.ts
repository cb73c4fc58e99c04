import type { DocumentStatus, Priority, Role, Scope } from '../../src/contract/index.js';
import type { BoardTemplate, SlugStyle } from '../state/settings.js';

/**
 * Seed data: the organizations that a server starts with, and everything in them. Fields have the same names as
 * in the API. Related records are named by id or by name, and every id is optional. The records of a list are
 * created in its order.
 */
export interface World {
  organizations: readonly OrganizationSeed[];
  settings?: WorldSettings | undefined;
}

/** Behavior in which deployments of the API differ. */
export interface WorldSettings {
  /** Boards that `projects.create` puts into a new project; none by default. */
  default_boards?: readonly BoardTemplate[] | undefined;
  /** How board slugs are built from names: `in-progress` (`kebab-case`, the default) or `in_progress`. */
  slug_style?: Open<SlugStyle> | undefined;
  /**
   * Name or slug of the board that gets tickets created without a board. By default, and in a project without
   * such a board, the request is rejected.
   */
  default_board?: string | undefined;
}

/**
 * One of the known values. The compiler also accepts any other string, because it infers `string` for the
 * values in a JSON file or in an object without `as const`. At run time, a {@link SeedError} rejects them.
 */
type Open<Known extends string> = Known | (string & {});

interface Timestamps {
  /** RFC 3339; the clock's time by default. */
  created_at?: string | undefined;
  /** RFC 3339; `created_at` by default. */
  updated_at?: string | undefined;
}

export interface OrganizationSeed extends Timestamps {
  id?: string | undefined;
  name: string;
  users?: readonly UserSeed[] | undefined;
  /**
   * If no organization of the world has this field, each one gets a credential with every scope; the token of
   * the first is `wt_default`.
   */
  credentials?: readonly CredentialSeed[] | undefined;
  projects?: readonly ProjectSeed[] | undefined;
  documents?: readonly DocumentSeed[] | undefined;
  /** Document tags whose ids matter. Other tags are created with the documents that have them. */
  tags?: readonly TagSeed[] | undefined;
}

export interface UserSeed {
  id?: string | undefined;
  name: string;
  /** Generated from the name by default. */
  email?: string | undefined;
  /** `member` by default. */
  role?: Open<Role> | undefined;
}

export interface CredentialSeed {
  id?: string | undefined;
  /** What a client sends. */
  token: string;
  /** Shown as creator and author of new records. By default `API credential`, then `API credential 2`. */
  name?: string | undefined;
  /** All thirteen by default; `'*'` means all as well. */
  scopes?: readonly Open<Scope | '*'>[] | undefined;
}

export interface TagSeed {
  id?: string | undefined;
  name: string;
}

export interface LabelSeed {
  id?: string | undefined;
  name: string;
  color?: string | null | undefined;
}

export interface ProjectSeed extends Timestamps {
  id?: string | undefined;
  name: string;
  /** Generated from the name by default. */
  key?: string | undefined;
  description?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** Users, by id or name. */
  members?: readonly string[] | undefined;
  labels?: readonly LabelSeed[] | undefined;
  /** Ticket tags whose ids matter. Other tags are created with the tickets that have them. */
  tags?: readonly TagSeed[] | undefined;
  boards?: readonly BoardSeed[] | undefined;
}

export interface BoardSeed extends Timestamps {
  id?: string | undefined;
  name: string;
  /** Generated from the name by default. */
  slug?: string | undefined;
  color?: string | null | undefined;
  /** May be smaller than the number of tickets: the limit only applies to tickets that arrive later. */
  wip_limit?: number | null | undefined;
  is_done?: boolean | undefined;
  is_hidden?: boolean | undefined;
  tickets?: readonly TicketSeed[] | undefined;
}

export interface TicketSeed extends Timestamps {
  id?: string | undefined;
  title: string;
  /** The project's next number by default. */
  number?: number | undefined;
  description_html?: string | null | undefined;
  priority?: Open<Priority> | undefined;
  due_at?: string | null | undefined;
  started_at?: string | null | undefined;
  /** `created_at` by default if the board is a done board. */
  completed_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** A user, by id or name; none by default. */
  creator?: string | null | undefined;
  /** Users who can see the project, by id or name. */
  assignees?: readonly string[] | undefined;
  /** Labels of the project, by id or name. */
  labels?: readonly string[] | undefined;
  /** Names. Tags that the project doesn't have are created. */
  tags?: readonly string[] | undefined;
}

export interface DocumentSeed extends Timestamps {
  id?: string | undefined;
  title: string;
  /** By id, name or key. */
  project?: string | null | undefined;
  caption?: string | null | undefined;
  content_html?: string | null | undefined;
  /** `draft` by default. */
  status?: Open<DocumentStatus> | undefined;
  /** `created_at` by default if the document is published. */
  published_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** A user, by id or name; none by default. */
  author?: string | null | undefined;
  /** Users, by id or name. */
  editors?: readonly string[] | undefined;
  /** Names. Tags that the organization doesn't have are created. */
  tags?: readonly string[] | undefined;
}

/** For `mock.add.comment()`. */
export interface CommentSeed {
  id?: string | undefined;
  /** The ticket, by id or title. */
  ticket?: string | undefined;
  /** The document, by id or title. A comment belongs either to a ticket or to a document. */
  document?: string | undefined;
  /** `Comment` by default. */
  body_html?: string | undefined;
  /** A user of the organization, by id or name. By default the organization's first credential is the author. */
  author?: string | undefined;
  /** RFC 3339; the clock's time by default. */
  created_at?: string | undefined;
}

/** For `mock.add.notification()`. */
export interface NotificationSeed {
  id?: string | undefined;
  /** The recipient, by id or name. Optional if there is only one user. */
  user?: string | undefined;
  /** `Notification 1`, `Notification 2`, … by default. */
  title?: string | undefined;
  /** The title by default. */
  body?: string | undefined;
  /** An internal path: `/app` or below it. */
  url?: string | null | undefined;
  /** RFC 3339; the clock's time by default. */
  created_at?: string | undefined;
}

/** The seed data of a server that is created without any. */
export const defaultWorld: World = {
  organizations: [
    {
      id: 'org_default',
      name: 'Default organization',
      users: [{ id: 'usr_default', name: 'Default user', role: 'owner' }],
      credentials: [{ id: 'crd_default', token: 'wt_default', name: 'Default credential', scopes: ['*'] }],
    },
  ],
};
