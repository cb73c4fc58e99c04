import type {
  Board,
  Document,
  DocumentComment,
  Label,
  Member,
  Organization,
  Project,
  Reference,
  Scope,
  Ticket,
  TicketComment,
} from '../../src/contract/index.js';

export type OrganizationRow = Organization;

export interface UserRow extends Member {
  readonly organization_id: string;
}

export interface CredentialRow {
  readonly id: string;
  readonly organization_id: string;
  readonly token: string;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** When the record was deleted. The rows of deleted records are kept (soft deletes). */
interface Deletable {
  readonly deleted_at: string | null;
}

export interface ProjectRow extends Project, Deletable {
  /**
   * The IDs of the users who were added as members. Owners and admins can see the project without being
   * members.
   */
  readonly members: ReadonlySet<string>;
  readonly labels: readonly Label[];
  /** The slots of the live boards, in order. */
  readonly boards: readonly number[];
  /** The highest ticket number so far, including deleted tickets. */
  readonly lastNumber: number;
}

/** A board without its position, which is its index among the project's live boards. */
export interface BoardRow extends Omit<Board, 'position'>, Deletable {}

/** A ticket without its position, which is its index on the board. */
export interface TicketRow extends Omit<Ticket, 'position'>, Deletable {}

export interface DocumentRow extends Document, Deletable {
  /** A sequence number that reflects the creation order. */
  readonly ordinal: number;
}

export type CommentRow = TicketComment | DocumentComment;

/** A tag in a project and the number of live tickets that use it. */
export interface TagRow {
  readonly tag: Reference;
  readonly count: number;
}

export interface NotificationRow {
  readonly id: string;
  readonly organization_id: string;
  readonly user_id: string;
  readonly title: string;
  readonly body: string;
  readonly url: string | null;
  readonly created_at: string;
}

/** Adds default values for omitted fields. If a field has no default, the code doesn't compile. */
export function fillDefaults<Defaults extends object, Fields extends object>(
  defaults: Defaults,
  fields: Fields & {
    [Name in keyof Fields]: Name extends keyof Defaults ? Defaults[Name] | undefined : never;
  },
): Defaults {
  const filled = { ...defaults };
  for (const name in defaults) {
    const value = (fields as Partial<Defaults>)[name];
    if (value !== undefined) filled[name] = value;
  }
  return filled;
}

/** The settings of the simulated deployment, which come from the seed data or the emulated deployment. */
export interface Settings {
  /** The boards that `projects.create` adds to a new project. */
  readonly defaultBoards: readonly BoardTemplate[];
  readonly slugStyle: SlugStyle;
  /**
   * The name or slug of the board for tickets created without a board. If null, requests without a board are
   * rejected.
   */
  readonly defaultBoard: string | null;
  /**
   * How slugs are derived if the deployment uses neither slug style. Set only when emulating a deployment.
   */
  readonly slugs?: SlugRules | undefined;
  /** Whether WIP limits ignore archived tickets. Set only when emulating a deployment. */
  readonly ignoresArchivedInLimits?: boolean | undefined;
}

/** How slugs are derived from board names. */
export interface SlugRules {
  /** The characters between words. */
  readonly separator: string;
  /** The slug to use if a name contains no letters or digits. */
  readonly fallback: string;
  /** The number to append to the slug of the second board with the same name. */
  readonly firstSuffix: number;
}

/** A board to add to new projects. */
export interface BoardTemplate {
  readonly name: string;
  readonly slug?: string | undefined;
  readonly color?: string | null | undefined;
  readonly wip_limit?: number | null | undefined;
  readonly is_done?: boolean | undefined;
  readonly is_hidden?: boolean | undefined;
}

/** How to join the words in a board's slug: `in-progress` or `in_progress`. */
export type SlugStyle = 'kebab-case' | 'snake_case';

export const defaultSettings: Settings = { defaultBoards: [], slugStyle: 'kebab-case', defaultBoard: null };
