import type {
  Board,
  Document,
  DocumentComment,
  Label,
  Member,
  OperationId,
  Organization,
  Project,
  Scope,
  Ticket,
  TicketComment,
} from '../../../src/contract/index.js';
import type { NewCredential } from '../../controls/credentials.js';
import type { CredentialView } from '../../controls/state-view.js';
import type { Deployment } from '../../deployment/deployment.js';
import type { Fault } from '../../faults/fault.js';
import type { RateLimitOptions } from '../../faults/rate-limit.js';
import type { RecordedRequest } from '../../journal/entry.js';
import type { ExpectedRequest } from '../../journal/match.js';
import type { MockClientOptions } from '../../options/client-options.js';
import type {
  BoardSeed,
  CommentSeed,
  DocumentSeed,
  LabelSeed,
  NotificationSeed,
  OrganizationSeed,
  ProjectSeed,
  TicketSeed,
  UserSeed,
  World,
} from '../../seed/world.js';
import type { NotificationRow } from '../../state/rows.js';
import type { StateDump } from '../../state/state-dump.js';

/** A space's admin routes with the types of their bodies, query parameters, and response data. */
export interface AdminApi {
  /**
   * Returns the space's client options, time, and number of requests. The client options are missing if
   * the space has no credential.
   */
  'GET /': { response: SpaceStatus };
  /** Streams events. See [Events](#events). */
  'GET /events': { response: Response };
  /** Restores the initial state, clears the journal, and removes all faults and overrides that were added. */
  'POST /reset': object;
  /** Replaces all data with new [seed data](../testing/seed-data.md) or with a state from `GET /state`. */
  'POST /seed': { body: World | StateDump };
  /** Returns the complete state. Pass it to `POST /seed` or `createMockServer({ state })` to load it. */
  'GET /state': { response: StateDump };
  /** Returns the IDs of all snapshots. */
  'GET /snapshots': { response: string[] };
  /** Takes a snapshot. A space can have at most 1,000 snapshots. */
  'POST /snapshots': { response: { id: string } };
  /** Restores a snapshot. */
  'POST /snapshots/{id}/restore': object;
  /** Deletes a snapshot. */
  'DELETE /snapshots/{id}': object;
  /** Returns the server's time. */
  'GET /clock': { response: ClockView };
  /** Changes the clock. If any field is invalid, the clock doesn't change. */
  'POST /clock': { body: ClockChange; response: ClockView };
  /** Returns all organizations. */
  'GET /organizations': { response: Organization[] };
  /** Returns all credentials. */
  'GET /credentials': { response: CredentialView[] };
  /** Adds a credential. */
  'POST /credentials': { body: NewCredential; response: CredentialView };
  /** Changes a credential's scopes. */
  'PATCH /credentials/{token}': { body: { scopes: (Scope | '*')[] }; response: CredentialView };
  /** Replaces a credential's token with the given token or a random one. */
  'POST /credentials/{token}/rotate': { body: { token?: string }; response: CredentialView };
  /** Revokes a credential. */
  'DELETE /credentials/{token}': object;
  /** Returns the active faults. */
  'GET /faults': { response: ActiveFault[] };
  /**
   * Adds a [fault](../testing/control-the-mock-server.md#inject-faults). A space can have at most 1,000
   * faults.
   */
  'POST /faults': { body: Fault; response: { id: string } };
  /** Removes all faults and the rate limit. */
  'DELETE /faults': object;
  /** Removes a fault. */
  'DELETE /faults/{id}': object;
  /** Returns the rate limit, or null if none is set. */
  'GET /rate-limit': { response: Required<RateLimitOptions> | null };
  /** Sets the rate limit. */
  'PUT /rate-limit': { body: RateLimitOptions };
  /** Removes the rate limit. */
  'DELETE /rate-limit': object;
  /** Returns the journal. */
  'GET /requests': { query: JournalQuery; response: RecordedRequest[] };
  /** Returns the request whose response had this `x-request-id`. */
  'GET /requests/{id}': { response: RecordedRequest };
  /**
   * Returns the first request that matches all the given fields. If no request matches, returns 409 with the
   * most similar requests. Objects in a request match even if they have additional fields.
   */
  'POST /requests/expect': {
    body: { operation: OperationId } & ExpectedRequest;
    response: RecordedRequest;
  };
  /** Clears the journal. */
  'DELETE /requests': object;
  /**
   * Returns the scopes that requests used, and the scopes that the credentials of rejected requests lacked.
   */
  'GET /scopes': { response: { used: Scope[]; missing: Scope[] } };
  /**
   * Adds a record and returns it. WIP limits don't apply, but fields and references to other records are
   * checked. `{kind}` is a field name in `NewRecords`.
   */
  'POST /records/{kind}': { body: NewRecords[keyof NewRecords]; response: AddedRecords[keyof AddedRecords] };
}

/**
 * Request bodies for `POST /records/{kind}`, keyed by kind. Names and titles are optional. You can omit a
 * record's organization, project, board, ticket, or recipient if there is only one.
 */
export interface NewRecords {
  organization: Partial<OrganizationSeed>;
  /** Also accepts `organization`, which can be an ID or name. */
  user: Partial<UserSeed>;
  /** Also accepts `organization`, which can be an ID or name. */
  project: Partial<ProjectSeed>;
  /** Also accepts `project`, which can be an ID, name, or key. */
  label: Partial<LabelSeed>;
  /** Also accepts `project`, which can be an ID, name, or key. */
  board: Partial<BoardSeed>;
  /** Also accepts `board`, which can be an ID or name. */
  ticket: Partial<TicketSeed>;
  /** Also accepts `organization`, which can be an ID or name. */
  document: Partial<DocumentSeed>;
  comment: CommentSeed;
  notification: NotificationSeed;
}

/** Response data for `POST /records/{kind}`, keyed by kind. */
export interface AddedRecords {
  organization: Organization;
  user: Member;
  project: Project;
  label: Label;
  board: Board;
  ticket: Ticket;
  document: Document;
  comment: TicketComment | DocumentComment;
  notification: NotificationRow;
}

/** The admin routes that exist only at the root. */
export interface SpacesApi {
  /** Returns the names of all spaces. */
  'GET /spaces': { response: string[] };
  /**
   * Creates a [space](../testing/mock-server-over-http.md#run-many-tests-against-one-server). Returns 409 if
   * the name is taken. A server can have at most 1,000 spaces.
   */
  'POST /spaces': { body: NewSpace; response: CreatedSpace };
  /** Deletes a space. */
  'DELETE /spaces/{name}': object;
}

export interface SpaceStatus extends Partial<Omit<MockClientOptions, 'wire'>> {
  /** The space's name, or an empty string at the root. */
  space: string;
  /** The server's time. */
  now: string;
  /** The number of requests in the journal. */
  requests: number;
}

export interface ClockView {
  /** The server's time. */
  now: string;
  /** Whether the clock is stopped. */
  frozen: boolean;
}

/** If you pass more than one field, the changes are applied in the order listed here. */
export interface ClockChange {
  /** Makes the clock follow the system clock. */
  real?: true;
  /** The new time: a date-time, or milliseconds since 1970. */
  set?: string | number;
  /** Milliseconds to add to the time. */
  advance?: number;
  /** Stops the clock at the given time, or at the current time if it's `true`. */
  freeze?: true | string | number;
}

export interface ActiveFault extends Fault {
  id: string;
  /** The number of requests that the fault has affected. */
  count: number;
}

export interface JournalQuery {
  /** Returns only requests for this operation. */
  operation?: OperationId;
  /** The maximum number of requests to return. If more match, only the latest are returned. */
  limit?: number;
}

export interface NewSpace {
  /** 1 to 100 characters from `A-Z`, `a-z`, `0-9`, `_`, `.`, and `-`. Must not start with `.` or `-`. */
  name: string;
  /** The seed data. Defaults to the seed data that the server was started with. */
  world?: World | string;
  /** The contents of a `deployment.json` file. Defaults to the server's deployment. */
  deployment?: Deployment | string;
  /** The clock's initial time, or `real` to use the system clock. Defaults to the server's setting. */
  now?: string | number;
  /** The seed for IDs and all other random values. Defaults to the server's seed. */
  randomSeed?: number | string;
  /** Whether to replace an existing space with this name. Defaults to false. */
  replace?: boolean;
}

export interface CreatedSpace extends Omit<MockClientOptions, 'wire'> {
  name: string;
}
