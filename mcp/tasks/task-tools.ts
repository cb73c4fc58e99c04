import type { Tool } from '../tools/tool.js';
import { boardOverview } from './board-overview.js';
import { findTickets } from './find-tickets.js';
import { moveTicketByName } from './move-ticket-by-name.js';
import { weeklySummary } from './weekly-summary.js';

/** Tools for tasks that would otherwise require many tool calls. */
export const taskTools: readonly Tool[] = [boardOverview, findTickets, moveTicketByName, weeklySummary];
