// Writes a weekly report about several projects to a document: how much is done, what is overdue, and which
// boards are full. A second report for the same week updates the document.

import { bulk, keepKey, type Project } from 'worktrack';
import { connect, createProject, deleteProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);
const todo = await client.boards.create(project.id, { name: 'To do' });
const doing = await client.boards.create(project.id, { name: 'Doing', wip_limit: 1 });
const done = await client.boards.create(project.id, { name: 'Done', is_done: true });
const yesterday = new Date(Date.now() - 86_400_000);
await client.tickets.create(project.id, { board_id: todo.id, title: 'Fuel', due_at: yesterday });
await client.tickets.create(project.id, { board_id: doing.id, title: 'Radio' });
await client.tickets.create(project.id, { board_id: done.id, title: 'Crew' });

for (const run of [1, 2]) {
  const document = await writeReport([project], '2026-W02');
  console.log(`Run ${run}: ${document.title}\n${document.content_html}`);
}

await deleteProject(client, project.id);

async function writeReport(projects: readonly Project[], week: string) {
  const { results, failures } = await bulk(projects, summarize, { concurrency: 4 });
  if (failures.length > 0) throw failures[0]?.error;
  const rows = results.map((result) => (result.ok ? result.value : ''));
  const list = `<ul>${rows.join('')}</ul>`;
  const document = await client.documents.findOrCreate(
    { project_id: project.id, title: `Report for ${week}`, content_html: list },
    { key: `report-${week}` },
  );
  const content_html = keepKey(list, document.content_html);
  if (document.content_html === content_html) return document;
  return client.documents.update(document.id, { content_html });
}

async function summarize({ id, name }: Project): Promise<string> {
  const [analytics, boards] = await Promise.all([client.projects.analytics.get(id), client.boards.list(id)]);
  const full = analytics.by_board.filter(({ board_id, count }) => {
    const limit = boards.find((board) => board.id === board_id)?.wip_limit;
    return typeof limit === 'number' && count >= limit;
  });
  const details = [
    `${analytics.done} of ${analytics.total} done`,
    `${analytics.overdue} overdue`,
    ...full.map(({ board_name }) => `${board_name} is full`),
  ];
  return `<li>${name}: ${details.join(', ')}</li>`;
}
