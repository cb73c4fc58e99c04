export { type Analytics, analyticsSchema, type BoardAnalytics } from './analytics.js';
export {
  type Board,
  boardSchema,
  type CreateBoard,
  createBoardSchema,
  type DeleteBoard,
  deleteBoardSchema,
  type ReorderBoards,
  reorderBoardsSchema,
  type UpdateBoard,
  updateBoardSchema,
} from './board.js';
export {
  type CreateComment,
  createCommentSchema,
  type DocumentComment,
  documentCommentSchema,
  type TicketComment,
  ticketCommentSchema,
} from './comment.js';
export {
  type CreateDocument,
  createDocumentSchema,
  type Document,
  type DocumentStatus,
  documentSchema,
  documentStatuses,
  type ListDocumentsQuery,
  listDocumentsQuerySchema,
  type SentDocumentsQuery,
  type UpdateDocument,
  updateDocumentSchema,
} from './document.js';
export type { Open, Schema, Wired } from './fields.js';
export {
  type NotificationReceipt,
  notificationReceiptSchema,
  type SendNotification,
  sendNotificationSchema,
} from './notification.js';
export { type Organization, organizationSchema } from './organization.js';
export { defaultPerPage, type PageFigures, pageFiguresSchema } from './page.js';
export {
  type Actor,
  type ActorType,
  actorSchema,
  actorTypes,
  type Reference,
  referenceSchema,
} from './people.js';
export {
  type CreateProject,
  createProjectSchema,
  type Label,
  labelSchema,
  type Member,
  memberSchema,
  type Project,
  projectSchema,
  type Role,
  roles,
  type Tag,
  tagSchema,
  type UpdateProject,
  updateProjectSchema,
} from './project.js';
export {
  type CreateTicket,
  type CreateTicketByBoardId,
  type CreateTicketByBoardSlug,
  createTicketSchema,
  type ListTicketsQuery,
  listTicketsQuerySchema,
  type MoveTicket,
  moveTicketSchema,
  type Priority,
  priorities,
  type ReorderTickets,
  reorderTicketsSchema,
  type Ticket,
  ticketSchema,
  type UpdateTicket,
  updateTicketSchema,
} from './ticket.js';
