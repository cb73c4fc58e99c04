import type { Board, Document, Label, Member, Project, Ticket } from '../../../src/contract/index.js';

/**
 * A change to a record, detected by comparing two reads. The `type` identifies what happened and determines
 * the types of `before` and `after`.
 */
export type Change = TicketChange | DocumentChange | BoardChange | LabelChange | MemberChange | ProjectChange;

/** A change's type, for example `ticket.moved`. */
export type ChangeType = Change['type'];

/** A ticket was created, moved to another board, archived, unarchived, deleted, or otherwise updated. */
export type TicketChange =
  | CreatedChange<'ticket', Ticket>
  | UpdatedChange<'ticket.moved' | ArchivableUpdate<'ticket'>, KnownTicket, Ticket>
  | DeletedChange<'ticket', KnownTicket>;

/** A document was created, archived, unarchived, deleted, or otherwise updated. */
export type DocumentChange =
  | CreatedChange<'document', Document>
  | UpdatedChange<ArchivableUpdate<'document'>, KnownDocument, Document>
  | DeletedChange<'document', KnownDocument>;

/** A board was created, updated, or deleted, or its tickets were reordered. */
export type BoardChange =
  | CreatedChange<'board', Board>
  | UpdatedChange<'board.updated', KnownBoard, Board>
  | DeletedChange<'board', KnownBoard>
  | BoardReorderedChange;

/** A label was created, updated, or deleted. */
export type LabelChange =
  | CreatedChange<'label', Label>
  | UpdatedChange<'label.updated', KnownLabel, Label>
  | DeletedChange<'label', KnownLabel>;

/** A user gained or lost access to the project, or their name, email address, or role changed. */
export type MemberChange =
  | CreatedChange<'member', Member>
  | UpdatedChange<'member.updated', KnownMember, Member>
  | DeletedChange<'member', KnownMember>;

/**
 * A project was created, archived, unarchived, deleted, or otherwise updated. If a project is deleted, its
 * boards, tickets, labels, and members aren't reported individually.
 */
export type ProjectChange =
  | CreatedChange<'project', Project>
  | UpdatedChange<ArchivableUpdate<'project'>, KnownProject, Project>
  | DeletedChange<'project', KnownProject>;

type ArchivableUpdate<Kind extends string> = `${Kind}.${'updated' | 'archived' | 'unarchived'}`;

/** Fields shared by all changes. */
export interface ChangeBase {
  /**
   * Identifies the change. A change that is delivered twice, for example after a crash, has the same ID both
   * times, unless the record has changed again.
   */
  id: string;
  /** The ID of the changed record. */
  recordId: string;
  /**
   * The ID of the record's project. Null for documents, and for projects if the feed watches all of the
   * organization's projects.
   */
  projectId: string | null;
  /** When the change was detected, which is later than when it happened. */
  observedAt: string;
}

export interface CreatedChange<Kind extends string, Item> extends ChangeBase {
  type: `${Kind}.created`;
  before: null;
  after: Item;
  fields: readonly [];
}

export interface UpdatedChange<Type extends string, Known, Item> extends ChangeBase {
  type: Type;
  /**
   * The record as it was last reported, without long text fields and most fields that aren't compared. Related
   * records are reduced to `{ id }`.
   */
  before: Known;
  after: Item;
  /** The names of the changed fields, for example `['title', 'assignees']`. */
  fields: readonly (keyof Item & string)[];
}

export interface DeletedChange<Kind extends string, Known> extends ChangeBase {
  type: `${Kind}.deleted`;
  /** The record as it was last reported. */
  before: Known;
  after: null;
  fields: readonly [];
}

/** Tickets that stayed on a board were reordered. Reported only if you set `ticketOrder`. */
export interface BoardReorderedChange extends ChangeBase {
  type: 'board.reordered';
  /** The IDs of the board's tickets in their previous order. */
  before: readonly string[];
  after: readonly string[];
  fields: readonly [];
}

/**
 * A related record. Only its ID is compared, so renaming a label counts as a change to the label, but not to
 * its tickets.
 */
export interface KnownReference {
  id: string;
}

/** The ticket fields stored in a snapshot. */
export interface KnownTicket
  extends Omit<
    Ticket,
    | 'description_html'
    | 'position'
    | 'api_credential_id'
    | 'creator'
    | 'assignees'
    | 'labels'
    | 'tags'
    | 'created_at'
  > {
  assignees: KnownReference[];
  labels: KnownReference[];
  tags: KnownReference[];
}

/** The document fields stored in a snapshot. */
export interface KnownDocument
  extends Pick<
    Document,
    'id' | 'project_id' | 'author_id' | 'title' | 'status' | 'published_at' | 'archived_at' | 'updated_at'
  > {
  tags: KnownReference[];
  editors: KnownReference[];
}

/** The board fields stored in a snapshot. */
export type KnownBoard = Pick<
  Board,
  'id' | 'project_id' | 'name' | 'slug' | 'color' | 'wip_limit' | 'is_done' | 'is_hidden'
>;

/** The label fields stored in a snapshot. */
export type KnownLabel = Label;

/** The member fields stored in a snapshot. */
export type KnownMember = Member;

/** The project fields stored in a snapshot. */
export type KnownProject = Pick<Project, 'id' | 'organization_id' | 'name' | 'key' | 'archived_at'>;
