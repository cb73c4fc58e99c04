import type { Scope } from '../../src/contract/index.js';
import type { Clock } from './clock.js';
import type {
  BoardRow,
  CommentRow,
  CredentialRow,
  DocumentRow,
  NotificationRow,
  OrganizationRow,
  ProjectRow,
  Settings,
  TagRow,
  TicketRow,
  UserRow,
} from './rows.js';

/** An exported state. Data that can be derived from the rest is omitted. */
export interface StateDump {
  format: 'worktrack-state';
  version: 1;
  clock: ReturnType<Clock['capture']>;
  ids: unknown;
  ordinal: number;
  settings?: Settings | undefined;
  organizations: (OrganizationRow & { users: string[] })[];
  users: UserRow[];
  credentials: (Omit<CredentialRow, 'scopes'> & { scopes: Scope[] })[];
  documentTags: { key: string; tag: { id: string; name: string } }[];
  /** Live projects in creation order, then deleted ones. */
  projects: (Omit<ProjectRow, 'members' | 'boards'> & {
    members: string[];
    boards: string[];
    tags: TagRow['tag'][];
  })[];
  boards: BoardRow[];
  /** Live tickets by board and position, then deleted ones. */
  tickets: TicketRow[];
  documents: DocumentRow[];
  comments: CommentRow[];
  notifications: NotificationRow[];
}

/** The names of the lists in an exported state. */
export type RowList = {
  [Name in keyof StateDump]-?: StateDump[Name] extends readonly object[] ? Name : never;
}[keyof StateDump];
