import type { Board, Document, Label, Member, Project, Ticket } from '../../src/contract/index.js';

/**
 * A change to a record, detected by comparing two reads. The `type` identifies what happened and determines
 * the types of `before` and `after`.
 */
export type Change = TicketChange | DocumentChange | BoardChange | LabelChange | MemberChange | ProjectChange;

/** A change's type, for example `ticket.moved`. */
export type ChangeType = Change['type'];

/** A ticket was created, moved to another board, archived, unarchived, deleted, or otherwise updated. */
export type TicketChange =
  | CreatedChange<'ticket.created', Ticket>
  | UpdatedChange<'ticket.moved' | ArchivableUpdate<'ticket'>, KnownTicket, Ticket>
  | DeletedChange<'ticket.deleted', KnownTicket>;

/** A document was created, archived, unarchived, deleted, or otherwise updated. */
export type DocumentChange =
  | CreatedChange<'document.created', Document>
  | UpdatedChange<ArchivableUpdate<'document'>, KnownDocument, Document>
  | DeletedChange<'document.deleted', KnownDocument>;

/** A board was created, updated, or deleted. */
export type BoardChange =
  | CreatedChange<'board.created', Board>
  | UpdatedChange<'board.updated', KnownBoard, Board>
  | DeletedChange<'board.deleted', KnownBoard>;

/** A label was created, updated, or deleted. */
export type LabelChange =
  | CreatedChange<'label.created', Label>
  | UpdatedChange<'label.updated', Label, Label>
  | DeletedChange<'label.deleted', Label>;

/** A user gained or lost access to the project, or their name, email address, or role changed. */
export type MemberChange =
  | CreatedChange<'member.created', Member>
  | UpdatedChange<'member.updated', Member, Member>
  | DeletedChange<'member.deleted', Member>;

/**
 * A project was created, archived, unarchived, or otherwise updated, or the credential lost or regained access
 * to it. A feed can't tell a deleted project from one that the credential can't see, so it reports both as
 * `project.inaccessible`. The records in such a project aren't reported as deleted.
 */
export type ProjectChange =
  | CreatedChange<'project.created' | 'project.accessible', Project>
  | UpdatedChange<ArchivableUpdate<'project'>, KnownProject, Project>
  | DeletedChange<'project.inaccessible', Partial<KnownProject> & Pick<KnownProject, 'id'>>;

type ArchivableUpdate<Kind extends string> = `${Kind}.${'updated' | 'archived' | 'unarchived'}`;

/** Fields shared by all changes. */
export interface ChangeBase {
  /**
   * A digest of the record's ID and of its state before and after the change. A change that is delivered twice,
   * for example after a crash, has the same ID both times, unless the record has changed again.
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

export interface CreatedChange<Type extends string, Item> extends ChangeBase {
  type: Type;
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

export interface DeletedChange<Type extends string, Known> extends ChangeBase {
  type: Type;
  /** The record as it was last reported. */
  before: Known;
  after: null;
  fields: readonly [];
}

/**
 * A related record. Only its ID is compared, so renaming a label counts as a change to the label, but not to
 * its tickets.
 */
export interface KnownReference {
  id: string;
}

/** The ticket fields that a feed remembers. */
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

/** The document fields that a feed remembers. */
export interface KnownDocument
  extends Pick<
    Document,
    'id' | 'project_id' | 'author_id' | 'title' | 'status' | 'published_at' | 'archived_at' | 'updated_at'
  > {
  tags: KnownReference[];
  editors: KnownReference[];
}

/** The board fields that a feed remembers. */
export type KnownBoard = Pick<
  Board,
  'id' | 'project_id' | 'name' | 'slug' | 'color' | 'wip_limit' | 'is_done' | 'is_hidden'
>;

/** The project fields that a feed remembers. */
export type KnownProject = Pick<Project, 'id' | 'organization_id' | 'name' | 'key' | 'archived_at'>;
