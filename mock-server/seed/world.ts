import type {
  DocumentContent,
  DocumentStatus,
  Priority,
  Role,
  Scope,
  TicketContent,
} from '../../src/contract/index.js';
import type { BoardTemplate, SlugStyle } from '../state/rows.js';

/**
 * Seed data: the organizations that a server starts with, and everything in them. Fields have the same names
 * as in the API. You can refer to related records by ID or name, and every ID is optional. Records are
 * created in list order.
 */
export interface World {
  /** The JSON Schema of a seed data file, for editors. The mock server ignores it. */
  $schema?: string | undefined;
  /** Notes about the data, such as where it comes from. The mock server ignores them. */
  about?: readonly string[] | undefined;
  organizations: readonly OrganizationSeed[];
  settings?: WorldSettings | undefined;
}

/** Settings for behavior that differs between API deployments. */
export interface WorldSettings {
  /** The boards that `projects.create` adds to a new project. None by default. */
  default_boards?: readonly BoardTemplate[] | undefined;
  /**
   * How to derive board slugs from names: `kebab-case` (the default) results in slugs such as `in-progress`,
   * and `snake_case` in slugs such as `in_progress`.
   */
  slug_style?: Open<SlugStyle> | undefined;
  /**
   * The name or slug of the board for tickets created without a board. If this setting is omitted, or if the
   * project doesn't have this board, the request is rejected.
   */
  default_board?: string | undefined;
}

/**
 * One of the known values. The type also accepts other strings, because TypeScript infers `string` for values
 * in a JSON file or in an object without `as const`. At runtime, other strings cause a {@link SeedError}.
 */
type Open<Known extends string> = Known | (string & {});

interface Timestamps {
  /** A date-time (RFC 3339). Defaults to the clock's time. */
  created_at?: string | undefined;
  /** A date-time (RFC 3339). Defaults to `created_at`. */
  updated_at?: string | undefined;
}

export interface OrganizationSeed extends Timestamps {
  id?: string | undefined;
  name: string;
  users?: readonly UserSeed[] | undefined;
  /**
   * If no organization has this field, each organization gets a credential with every scope. The first
   * credential's token is `wt_default`.
   */
  credentials?: readonly CredentialSeed[] | undefined;
  projects?: readonly ProjectSeed[] | undefined;
  documents?: readonly DocumentSeed[] | undefined;
  /** Document tags that need specific IDs. Other tags are created along with the documents that use them. */
  tags?: readonly TagSeed[] | undefined;
}

export interface UserSeed {
  id?: string | undefined;
  name: string;
  /** Derived from the name by default. */
  email?: string | undefined;
  /** Defaults to `member`. */
  role?: Open<Role> | undefined;
}

export interface CredentialSeed {
  id?: string | undefined;
  /** The token that clients send. */
  token: string;
  /**
   * The name shown as the creator or author of new records. Defaults to `API credential`, then
   * `API credential 2`, and so on.
   */
  name?: string | undefined;
  /** Defaults to all scopes, which you can also write as `'*'`. */
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
  /** The IDs or names of the members. */
  members?: readonly string[] | undefined;
  labels?: readonly LabelSeed[] | undefined;
  /** Ticket tags that need specific IDs. Other tags are created along with the tickets that use them. */
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
   * Can be less than the number of tickets in the seed data, because the limit applies only to tickets that
   * are added later.
   */
  wip_limit?: number | null | undefined;
  is_done?: boolean | undefined;
  is_hidden?: boolean | undefined;
  tickets?: readonly TicketSeed[] | undefined;
}

export interface TicketSeed extends Omit<TicketContent, 'priority' | 'due_at'>, Timestamps {
  id?: string | undefined;
  title: string;
  /** Defaults to the project's next ticket number. */
  number?: number | undefined;
  priority?: Open<Priority> | undefined;
  due_at?: string | null | undefined;
  started_at?: string | null | undefined;
  /** Defaults to `created_at` if the ticket is on a done board. */
  completed_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** The ID or name of a user or credential. None by default. */
  creator?: string | null | undefined;
  /** The IDs or names of users who can see the project. */
  assignees?: readonly string[] | undefined;
  /** The IDs or names of labels in the project. */
  labels?: readonly string[] | undefined;
  /** Tag names. Missing tags are created. */
  tags?: readonly string[] | undefined;
}

export interface DocumentSeed extends Omit<DocumentContent, 'status'>, Timestamps {
  id?: string | undefined;
  title: string;
  /** The project's ID, name, or key. */
  project?: string | null | undefined;
  /** Defaults to `draft`. */
  status?: Open<DocumentStatus> | undefined;
  /** Defaults to `created_at` if the document is published. */
  published_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** The ID or name of a user or credential. None by default. */
  author?: string | null | undefined;
  /** The IDs or names of the editors. */
  editors?: readonly string[] | undefined;
  /** Tag names. Missing tags are created. */
  tags?: readonly string[] | undefined;
}

/** Seed data for `mock.add.comment()`. */
export interface CommentSeed {
  id?: string | undefined;
  /** The ticket's ID or title. Optional if there is only one ticket and `document` isn't set. */
  ticket?: string | undefined;
  /** The document's ID or title. A comment belongs to either a ticket or a document. */
  document?: string | undefined;
  /** Defaults to `Comment`. */
  body_html?: string | undefined;
  /** The ID or name of a user or credential in the organization. Defaults to the organization's first credential. */
  author?: string | undefined;
  /** A date-time (RFC 3339). Defaults to the clock's time. */
  created_at?: string | undefined;
}

/** Seed data for `mock.add.notification()`. */
export interface NotificationSeed {
  id?: string | undefined;
  /** The recipient's ID or name. Optional if there is only one user. */
  user?: string | undefined;
  /** Defaults to `Notification 1`, `Notification 2`, and so on. */
  title?: string | undefined;
  /** Defaults to the title. */
  body?: string | undefined;
  /** An internal path: `/app`, or a path under it. */
  url?: string | null | undefined;
  /** A date-time (RFC 3339). Defaults to the clock's time. */
  created_at?: string | undefined;
}

/** The default seed data. */
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
