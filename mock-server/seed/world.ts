import type { DocumentStatus, Priority, Role, Scope } from '../../src/contract/index.js';

/**
 * A world to begin with: organizations and what is in them, nested the way people think of it.
 * Fields have the wire's names; related records are named by id or by name; every id may be left
 * out. Records that lie in a list are created in its order.
 */
export interface World {
  organizations: readonly OrganizationSeed[];
}

/**
 * One of the known words. The compiler lets any text pass, since it takes the words of a JSON file,
 * and of an object without `as const`, for any text; {@link SeedError} names the wrong ones.
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
  credentials?: readonly CredentialSeed[] | undefined;
  projects?: readonly ProjectSeed[] | undefined;
  documents?: readonly DocumentSeed[] | undefined;
  /** Tags of documents whose id matters; others come with the documents that carry them. */
  tags?: readonly TagSeed[] | undefined;
}

export interface UserSeed {
  id?: string | undefined;
  name: string;
  /** Made from the name by default. */
  email?: string | undefined;
  /** `member` by default. */
  role?: Open<Role> | undefined;
}

export interface CredentialSeed {
  id?: string | undefined;
  /** What a client sends. */
  token: string;
  /** Shown as creator and author of what is made with it; `API credential` by default, then `API credential 2`. */
  name?: string | undefined;
  /** `'*'` stands for all thirteen, which is the default. */
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
  /** Made from the name by default. */
  key?: string | undefined;
  description?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** Users, by id or name. */
  members?: readonly string[] | undefined;
  labels?: readonly LabelSeed[] | undefined;
  /** Tags of tickets whose id matters; others come with the tickets that carry them. */
  tags?: readonly TagSeed[] | undefined;
  boards?: readonly BoardSeed[] | undefined;
}

export interface BoardSeed extends Timestamps {
  id?: string | undefined;
  name: string;
  /** Made from the name by default. */
  slug?: string | undefined;
  color?: string | null | undefined;
  /** May be smaller than the number of tickets: a limit guards arrivals only. */
  wip_limit?: number | null | undefined;
  is_done?: boolean | undefined;
  is_hidden?: boolean | undefined;
  tickets?: readonly TicketSeed[] | undefined;
}

export interface TicketSeed extends Timestamps {
  id?: string | undefined;
  title: string;
  /** The next one of the project by default. */
  number?: number | undefined;
  description_html?: string | null | undefined;
  priority?: Open<Priority> | undefined;
  due_at?: string | null | undefined;
  started_at?: string | null | undefined;
  /** On a done board `created_at` by default. */
  completed_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** A user, by id or name; nobody by default. */
  creator?: string | null | undefined;
  /** Users who can see the project, by id or name. */
  assignees?: readonly string[] | undefined;
  /** Labels of the project, by id or name. */
  labels?: readonly string[] | undefined;
  /** Names; tags that the project has not yet are made. */
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
  /** Of a published document `created_at` by default. */
  published_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** A user, by id or name; nobody by default. */
  author?: string | null | undefined;
  /** Users, by id or name. */
  editors?: readonly string[] | undefined;
  /** Names; tags that the organization has not yet are made. */
  tags?: readonly string[] | undefined;
}

/** What a server begins with that is given no world. */
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
