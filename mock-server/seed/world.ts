import type { DocumentStatus, Priority, Role, Scope } from '../../src/contract/index.js';
import type { BoardTemplate, SlugStyle } from '../state/settings.js';

/**
 * Seed data: the organizations that a server starts with, and everything in them. Fields have the same names as
 * in the API. Related records are named by ID or by name, and every ID is optional. The records of a list are
 * created in its order.
 */
export interface World {
  organizations: readonly OrganizationSeed[];
  settings?: WorldSettings | undefined;
}

/** Settings for behavior that differs between deployments of the API. */
export interface WorldSettings {
  /** The boards that `projects.create` adds to a new project. None by default. */
  default_boards?: readonly BoardTemplate[] | undefined;
  /** How board slugs are built from names: `in-progress` (`kebab-case`, the default) or `in_progress`. */
  slug_style?: Open<SlugStyle> | undefined;
  /**
   * The name or slug of the board for tickets that are created without a board. By default, and if the
   * project doesn't have this board, the request is rejected.
   */
  default_board?: string | undefined;
}

/**
 * One of the known values. The compiler also accepts other strings, because it infers `string` for values in
 * a JSON file or in an object without `as const`. At run time, a {@link SeedError} rejects them.
 */
type Open<Known extends string> = Known | (string & {});

interface Timestamps {
  /** RFC 3339. Defaults to the clock's time. */
  created_at?: string | undefined;
  /** RFC 3339. Defaults to `created_at`. */
  updated_at?: string | undefined;
}

export interface OrganizationSeed extends Timestamps {
  id?: string | undefined;
  name: string;
  users?: readonly UserSeed[] | undefined;
  /**
   * If no organization has this field, each one gets a credential with every scope. The token of the first
   * one is `wt_default`.
   */
  credentials?: readonly CredentialSeed[] | undefined;
  projects?: readonly ProjectSeed[] | undefined;
  documents?: readonly DocumentSeed[] | undefined;
  /** Document tags with specific IDs. Other tags are created with the documents that have them. */
  tags?: readonly TagSeed[] | undefined;
}

export interface UserSeed {
  id?: string | undefined;
  name: string;
  /** Derived from the name by default. */
  email?: string | undefined;
  /** `member` by default. */
  role?: Open<Role> | undefined;
}

export interface CredentialSeed {
  id?: string | undefined;
  /** The token that clients send. */
  token: string;
  /**
   * The name that is shown as the creator and author of new records. Defaults to `API credential`, then `API
   * credential 2`, and so on.
   */
  name?: string | undefined;
  /** All scopes by default. `'*'` also means all scopes. */
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
  /** Derived from the name by default. */
  key?: string | undefined;
  description?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** Users, by ID or name. */
  members?: readonly string[] | undefined;
  labels?: readonly LabelSeed[] | undefined;
  /** Ticket tags with specific IDs. Other tags are created with the tickets that have them. */
  tags?: readonly TagSeed[] | undefined;
  boards?: readonly BoardSeed[] | undefined;
}

export interface BoardSeed extends Timestamps {
  id?: string | undefined;
  name: string;
  /** Derived from the name by default. */
  slug?: string | undefined;
  color?: string | null | undefined;
  /**
   * May be smaller than the number of tickets, because the limit applies only to tickets that are added
   * later.
   */
  wip_limit?: number | null | undefined;
  is_done?: boolean | undefined;
  is_hidden?: boolean | undefined;
  tickets?: readonly TicketSeed[] | undefined;
}

export interface TicketSeed extends Timestamps {
  id?: string | undefined;
  title: string;
  /** Defaults to the project's next number. */
  number?: number | undefined;
  description_html?: string | null | undefined;
  priority?: Open<Priority> | undefined;
  due_at?: string | null | undefined;
  started_at?: string | null | undefined;
  /** Defaults to `created_at` on a done board. */
  completed_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** A user, by ID or name. None by default. */
  creator?: string | null | undefined;
  /** Users who can see the project, by ID or name. */
  assignees?: readonly string[] | undefined;
  /** Labels of the project, by ID or name. */
  labels?: readonly string[] | undefined;
  /** Tag names. Missing tags are created. */
  tags?: readonly string[] | undefined;
}

export interface DocumentSeed extends Timestamps {
  id?: string | undefined;
  title: string;
  /** The project, by ID, name or key. */
  project?: string | null | undefined;
  caption?: string | null | undefined;
  content_html?: string | null | undefined;
  /** Defaults to `draft`. */
  status?: Open<DocumentStatus> | undefined;
  /** Defaults to `created_at` if the document is published. */
  published_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** A user, by ID or name. None by default. */
  author?: string | null | undefined;
  /** Users, by ID or name. */
  editors?: readonly string[] | undefined;
  /** Tag names. Missing tags are created. */
  tags?: readonly string[] | undefined;
}

/** For `mock.add.comment()`. */
export interface CommentSeed {
  id?: string | undefined;
  /** The ticket, by ID or title. */
  ticket?: string | undefined;
  /** The document, by ID or title. A comment belongs to either a ticket or a document. */
  document?: string | undefined;
  /** `Comment` by default. */
  body_html?: string | undefined;
  /** A user of the organization, by ID or name. Defaults to the organization's first credential. */
  author?: string | undefined;
  /** RFC 3339. Defaults to the clock's time. */
  created_at?: string | undefined;
}

/** For `mock.add.notification()`. */
export interface NotificationSeed {
  id?: string | undefined;
  /** The recipient, by ID or name. Optional if there is only one user. */
  user?: string | undefined;
  /** `Notification 1`, `Notification 2`, … by default. */
  title?: string | undefined;
  /** Defaults to the title. */
  body?: string | undefined;
  /** An internal path: `/app` or below. */
  url?: string | null | undefined;
  /** RFC 3339. Defaults to the clock's time. */
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
