import type { Worktrack } from 'worktrack';

export const startWork = (client: Worktrack, ticket: string) =>
  client.tickets.move(ticket, { board_id: 'brd_doing' });
