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
  TagRow,
  TicketRow,
  UserRow,
} from './rows.js';

/** A whole state as JSON. What can be worked out from the rest is not in it. */
export interface StateDump {
  format: 'worktrack-state';
  version: 1;
  clock: ReturnType<Clock['capture']>;
  ids: unknown;
  ordinal: number;
  organizations: OrganizationRow[];
  users: UserRow[];
  credentials: (Omit<CredentialRow, 'scopes'> & { scopes: Scope[] })[];
  documentTags: { key: string; tag: { id: string; name: string } }[];
  /** Live ones in order of creation, then the deleted ones. */
  projects: (Omit<ProjectRow, 'members' | 'boards' | 'tags'> & {
    members: string[];
    boards: string[];
    tags: TagRow['tag'][];
  })[];
  boards: BoardRow[];
  /** Live ones by board and position, then the deleted ones. */
  tickets: TicketRow[];
  documents: DocumentRow[];
  comments: CommentRow[];
  notifications: NotificationRow[];
}
