export type { Analytics, BoardAnalytics } from './analytics.js';
export type { Board, CreateBoard, DeleteBoard, ReorderBoards, UpdateBoard } from './board.js';
export type { CreateComment, DocumentComment, TicketComment } from './comment.js';
export {
  type CreateDocument,
  type Document,
  type DocumentContent,
  type DocumentStatus,
  documentDefaults,
  documentStatuses,
  type ListDocumentsQuery,
  type SentDocumentsQuery,
  type UpdateDocument,
} from './document.js';
export type { Schema, Wired } from './fields.js';
export type { NotificationReceipt, SendNotification } from './notification.js';
export type { Organization } from './organization.js';
export { defaultPerPage, type PageInfo } from './page.js';
export { type Actor, type ActorType, actorTypes, type Reference } from './people.js';
export {
  type CreateProject,
  type Label,
  type Member,
  type Project,
  type Role,
  roles,
  type Tag,
  type UpdateProject,
} from './project.js';
export {
  type CreateTicket,
  type CreateTicketByBoardId,
  type CreateTicketByBoardSlug,
  type ListTicketsQuery,
  type MoveTicket,
  type Priority,
  priorities,
  type ReorderTickets,
  type Ticket,
  type TicketContent,
  ticketDefaults,
  type UpdateTicket,
} from './ticket.js';
