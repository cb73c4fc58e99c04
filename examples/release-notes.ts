// Writes release notes, grouped by label, from the tickets on the done boards, and then archives those tickets. The
// document's key is the release, so publishing the notes again doesn't create a second document.

import type { Ticket } from 'worktrack';
import { connect, createProject, deleteProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);
const done = await client.boards.create(project.id, { name: 'Done', is_done: true });
const doing = await client.boards.create(project.id, { name: 'Doing' });
for (const [title, board_id] of [
  ['Feature: Talk to the moon', done.id],
  ['Fix: The radio is silent', done.id],
  ['Fix: The hatch is stuck', done.id],
  ['Feature: Land', doing.id],
] as const) {
  await client.tickets.create(project.id, { board_id, title });
}

for (const run of [1, 2]) {
  const { title, id } = await publishNotes('1.4.0');
  console.log(`Run ${run}: ${title} (${id.slice(0, 4)}…)`);
}
const [notes] = (await client.documents.list({ project_id: project.id })).data;
console.log(notes?.content_html);

await deleteProject(client, project.id);

async function publishNotes(version: string) {
  const boards = await client.boards.list(project.id);
  const finished = boards.filter((board) => board.is_done).map(({ id }) => id);
  const tickets = (await client.tickets.list(project.id).toArray({ complete: true })).filter(
    ({ board_id, archived_at }) => finished.includes(board_id) && archived_at === null,
  );
  const document = await client.documents.findOrCreate(
    {
      project_id: project.id,
      title: `Release ${version}`,
      content_html: htmlOf(tickets),
      tag_names: ['release-notes'],
      status: 'published',
    },
    { key: `release-${version}` },
  );
  // If the program stops here, the next run archives the remaining tickets.
  for (const { id } of tickets) await client.tickets.update(id, { archived: true });
  return document;
}

function htmlOf(tickets: readonly Ticket[]): string {
  const groups = new Map<string, string[]>();
  for (const { title } of tickets) {
    const [, kind = 'Other', text = title] = /^(\w+): (.*)$/.exec(title) ?? [];
    groups.set(kind, [...(groups.get(kind) ?? []), text]);
  }
  const list = (items: string[]) => items.map((text) => `<li>${escaped(text)}</li>`).join('');
  return [...groups].map(([kind, items]) => `<h2>${escaped(kind)}</h2><ul>${list(items)}</ul>`).join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
