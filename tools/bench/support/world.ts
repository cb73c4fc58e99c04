import type { World } from 'worktrack/mock-server';

export const projectId = 'prj_apollo';
export const ticketId = (index: number) => `tkt_${index}`;
export const boardId = (index: number) => `brd_${index}`;

/** Creates seed data: one project with the given numbers of tickets, boards, and documents. */
export function apollo(tickets: number, boards = 1, documents = 0): World {
  const description = `<p>${'Read the manual, then check the restart logic twice. '.repeat(9)}</p>`;
  const perBoard = Math.ceil(tickets / boards);
  return {
    organizations: [
      {
        id: 'org_acme',
        name: 'Acme',
        users: [{ id: 'usr_ada', name: 'Ada', role: 'owner' }],
        credentials: [{ token: 'wt_bench', name: 'Bench', scopes: ['*'] }],
        projects: [
          {
            id: projectId,
            name: 'Apollo',
            key: 'APO',
            boards: Array.from({ length: boards }, (_, board) => ({
              id: boardId(board),
              name: `Board ${board}`,
              tickets: Array.from(
                { length: Math.max(0, Math.min(perBoard, tickets - board * perBoard)) },
                (_, index) => ({
                  id: ticketId(board * perBoard + index),
                  title: `Ticket ${board * perBoard + index}`,
                  description_html: description,
                  assignees: ['usr_ada'],
                }),
              ),
            })),
          },
        ],
        documents: Array.from({ length: documents }, (_, index) => ({
          id: `doc_${index}`,
          title: `Document ${index}`,
          tags: [`group ${index % 10}`, ...(index < 40 ? ['ops'] : [])],
        })),
      },
    ],
  };
}
