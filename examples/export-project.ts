// Exports a project as Markdown: each board with its tickets, and the project's documents. The export is
// complete even if users move tickets while it runs.

import type { Ticket } from 'worktrack';
import { connect, createProject, deleteProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);
const [todo, done] = [
  await client.boards.create(project.id, { name: 'To do' }),
  await client.boards.create(project.id, { name: 'Done', is_done: true }),
];
await client.tickets.create(project.id, { board_id: todo.id, title: 'Check the radio', priority: 'high' });
await client.tickets.create(project.id, { board_id: done.id, title: 'Fuel the rocket' });
await client.documents.create({
  project_id: project.id,
  title: 'Launch plan',
  content_html: '<p>At nine.</p>',
});

console.log(await exportProject(project.id));

await deleteProject(client, project.id);

async function exportProject(id: string): Promise<string> {
  const [{ name, description }, boards, tickets, documents] = await Promise.all([
    client.projects.get(id),
    client.boards.list(id),
    // A plain iteration would miss a ticket that moves to a page that has already been read.
    client.tickets.list(id).toArray({ complete: true }),
    client.documents.list({ project_id: id }).toArray({ complete: true }),
  ]);
  const sections = boards.map((board) => {
    const own = tickets.filter((ticket) => ticket.board_id === board.id);
    return [`## ${board.name}`, ...own.sort((one, other) => one.position - other.position).map(line)].join(
      '\n',
    );
  });
  const pages = documents.map(({ title, content_html }) => `## ${title}\n${textOf(content_html)}`);
  return [`# ${name}`, description ?? '', ...sections, ...pages].join('\n\n');
}

function line({ number, title, priority, assignees, due_at }: Ticket): string {
  const details = [
    priority === 'normal' ? '' : priority,
    assignees.map(({ name }) => name).join(' and '),
    due_at ? `due ${due_at.slice(0, 10)}` : '',
  ].filter(Boolean);
  return `- #${number} ${title}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

function textOf(html: string | null): string {
  return (html ?? '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
