import { board, createBoard, deleteBoard, reorderBoards, updateBoard } from './boards.js';
import { createComment, documentComment, ticketComment } from './comments.js';
import { createDocument, document, listDocumentsQuery, updateDocument } from './documents.js';
import { actor, pageInfo, reference } from './fields.js';
import { notificationReceipt, sendNotification } from './notifications.js';
import { organization } from './organization.js';
import { analytics, createProject, label, member, project, tag, updateProject } from './projects.js';
import {
  createTicket,
  listTicketsQuery,
  moveTicket,
  reorderTickets,
  ticket,
  updateTicket,
} from './tickets.js';

/*
 * The `worktrack/contract` entry point. It isn't `index.ts`, because importing this file creates all schemas,
 * which takes milliseconds. The client imports `index.ts` and creates an operation's schemas only when
 * needed.
 */
export * from './index.js';

export const actorSchema = /* @__PURE__ */ actor();
export const analyticsSchema = /* @__PURE__ */ analytics();
export const boardSchema = /* @__PURE__ */ board();
export const createBoardSchema = /* @__PURE__ */ createBoard();
export const createCommentSchema = /* @__PURE__ */ createComment();
export const createDocumentSchema = /* @__PURE__ */ createDocument();
export const createProjectSchema = /* @__PURE__ */ createProject();
export const createTicketSchema = /* @__PURE__ */ createTicket();
export const deleteBoardSchema = /* @__PURE__ */ deleteBoard();
export const documentSchema = /* @__PURE__ */ document();
export const documentCommentSchema = /* @__PURE__ */ documentComment();
export const labelSchema = /* @__PURE__ */ label();
export const listDocumentsQuerySchema = /* @__PURE__ */ listDocumentsQuery();
export const listTicketsQuerySchema = /* @__PURE__ */ listTicketsQuery();
export const memberSchema = /* @__PURE__ */ member();
export const moveTicketSchema = /* @__PURE__ */ moveTicket();
export const notificationReceiptSchema = /* @__PURE__ */ notificationReceipt();
export const organizationSchema = /* @__PURE__ */ organization();
export const pageInfoSchema = /* @__PURE__ */ pageInfo();
export const projectSchema = /* @__PURE__ */ project();
export const referenceSchema = /* @__PURE__ */ reference();
export const reorderBoardsSchema = /* @__PURE__ */ reorderBoards();
export const reorderTicketsSchema = /* @__PURE__ */ reorderTickets();
export const sendNotificationSchema = /* @__PURE__ */ sendNotification();
export const tagSchema = /* @__PURE__ */ tag();
export const ticketSchema = /* @__PURE__ */ ticket();
export const ticketCommentSchema = /* @__PURE__ */ ticketComment();
export const updateBoardSchema = /* @__PURE__ */ updateBoard();
export const updateDocumentSchema = /* @__PURE__ */ updateDocument();
export const updateProjectSchema = /* @__PURE__ */ updateProject();
export const updateTicketSchema = /* @__PURE__ */ updateTicket();
