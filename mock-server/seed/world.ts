import type { DocumentStatus, Priority, Role, Scope } from '../../src/contract/index.js';

/**
 * A world to begin with: organizations and what is in them, nested the way people think of it.
 * Fields have the wire's names; related records are named by id or by name; every id may be left
 * out. Records that lie in a list are created in its order.
 */
export interface World {
  organizations: OrganizationSeed[];
}

interface Timestamps {
  /** RFC 3339; the clock's time by default. */
  created_at?: string | undefined;
  /** RFC 3339; `created_at` by default. */
  updated_at?: string | undefined;
}

export interface OrganizationSeed extends Timestamps {
  id?: string | undefined;
  name: string;
  users?: UserSeed[] | undefined;
  credentials?: CredentialSeed[] | undefined;
  projects?: ProjectSeed[] | undefined;
  documents?: DocumentSeed[] | undefined;
  /** Tags of documents whose id matters; others come with the documents that carry them. */
  tags?: TagSeed[] | undefined;
}

export interface UserSeed {
  id?: string | undefined;
  name: string;
  /** Made from the name by default. */
  email?: string | undefined;
  /** `member` by default. */
  role?: Role | undefined;
}

export interface CredentialSeed {
  id?: string | undefined;
  /** What a client sends. */
  token: string;
  /** Shown as creator and author of what is made with it; the token by default. */
  name?: string | undefined;
  /** `'*'` stands for all thirteen, which is the default. */
  scopes?: (Scope | '*')[] | undefined;
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
  members?: string[] | undefined;
  labels?: LabelSeed[] | undefined;
  /** Tags of tickets whose id matters; others come with the tickets that carry them. */
  tags?: TagSeed[] | undefined;
  boards?: BoardSeed[] | undefined;
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
  tickets?: TicketSeed[] | undefined;
}

export interface TicketSeed extends Timestamps {
  id?: string | undefined;
  title: string;
  /** The next one of the project by default. */
  number?: number | undefined;
  description_html?: string | null | undefined;
  priority?: Priority | undefined;
  due_at?: string | null | undefined;
  started_at?: string | null | undefined;
  /** On a done board `created_at` by default. */
  completed_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** A user, by id or name; nobody by default. */
  creator?: string | null | undefined;
  /** Users who can see the project, by id or name. */
  assignees?: string[] | undefined;
  /** Labels of the project, by id or name. */
  labels?: string[] | undefined;
  /** Names; tags that the project has not yet are made. */
  tags?: string[] | undefined;
}

export interface DocumentSeed extends Timestamps {
  id?: string | undefined;
  title: string;
  /** By id, name or key. */
  project?: string | null | undefined;
  caption?: string | null | undefined;
  content_html?: string | null | undefined;
  /** `draft` by default. */
  status?: DocumentStatus | undefined;
  /** Of a published document `created_at` by default. */
  published_at?: string | null | undefined;
  archived_at?: string | null | undefined;
  /** A user, by id or name; nobody by default. */
  author?: string | null | undefined;
  /** Users, by id or name. */
  editors?: string[] | undefined;
  /** Names; tags that the organization has not yet are made. */
  tags?: string[] | undefined;
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
