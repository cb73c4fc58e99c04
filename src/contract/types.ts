/*
 * The types of records, payloads, and queries. Both `worktrack` and `worktrack/contract` export all of them.
 * A test fails if a type isn't listed here.
 */

export type { Board, CreateBoard, DeleteBoard, ReorderBoards, UpdateBoard } from './boards.js';
export type { CreateComment, DocumentComment, TicketComment } from './comments.js';
export type {
  CreateDocument,
  Document,
  DocumentStatus,
  ListDocumentsQuery,
  UpdateDocument,
} from './documents.js';
export type { Actor, ActorType, PageInfo, Reference } from './fields.js';
export type { NotificationReceipt, SendNotification } from './notifications.js';
export type { Organization } from './organization.js';
export type {
  Analytics,
  BoardAnalytics,
  CreateProject,
  Label,
  Member,
  Project,
  Role,
  Tag,
  UpdateProject,
} from './projects.js';
export type {
  CreateTicket,
  CreateTicketByBoardId,
  CreateTicketByBoardSlug,
  CreateTicketOnDefaultBoard,
  ListTicketsQuery,
  MoveTicket,
  Priority,
  ReorderTickets,
  Ticket,
  UpdateTicket,
} from './tickets.js';
