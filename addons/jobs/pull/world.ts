import type {
  Board,
  Document,
  Label,
  Organization,
  Project,
  Reference,
  Ticket,
} from '../../../src/contract/index.js';

/**
 * Seed data that was pulled from a deployment. Pass it to `createMockServer({ world })`, or save it as JSON
 * for `worktrack mock --seed`.
 */
export interface PulledWorld {
  /** Describes the data and what is missing from it. */
  about: string[];
  organizations: [PulledOrganization];
}

/** Dates that the deployment didn't return are undefined. The mock server then uses default dates. */
type Dated<RecordType> = Omit<RecordType, 'created_at' | 'updated_at'> & {
  created_at: string | undefined;
  updated_at: string | undefined;
};

export interface PulledOrganization extends Dated<Organization> {
  users: PulledUser[];
  /**
   * Set only if a credential created records. The first credential has all scopes, and the others have none.
   */
  credentials?: PulledCredential[] | undefined;
  projects: PulledProject[];
  /** Document tags. */
  tags: Reference[];
  documents: PulledDocument[];
}

export interface PulledUser {
  id: string;
  name: string;
  email?: string | undefined;
  role: string;
}

export interface PulledCredential {
  id: string;
  /** A made-up token. */
  token: string;
  name: string;
  scopes: string[];
}

export interface PulledProject extends Dated<Omit<Project, 'organization_id' | 'key'>> {
  key: string | undefined;
  /** The IDs of the users who can see the project. */
  members: string[];
  labels: Label[];
  /** Ticket tags. */
  tags: Reference[];
  boards: PulledBoard[];
}

/** Boards and tickets are sorted by position. */
export interface PulledBoard extends Dated<Omit<Board, 'project_id' | 'position' | 'slug'>> {
  slug: string | undefined;
  tickets: PulledTicket[];
}

type TicketReference =
  | 'project_id'
  | 'board_id'
  | 'position'
  | 'api_credential_id'
  | 'creator'
  | 'assignees'
  | 'labels'
  | 'tags'
  | 'number';

export interface PulledTicket extends Dated<Omit<Ticket, TicketReference>> {
  number: number | undefined;
  /** The ID of a user or a credential. */
  creator: string | null;
  /** IDs of users. */
  assignees: string[];
  /** IDs of labels. */
  labels: string[];
  /** Names of tags. */
  tags: string[];
}

type DocumentReference =
  | 'organization_id'
  | 'project_id'
  | 'author_id'
  | 'author'
  | 'api_credential_id'
  | 'tags'
  | 'editors';

export interface PulledDocument extends Dated<Omit<Document, DocumentReference>> {
  /** The ID of a project. */
  project: string | null;
  /** The ID of a user or a credential. */
  author: string | null;
  /** IDs of users. */
  editors: string[];
  /** Names of tags. */
  tags: string[];
}
