// Responds to an incident: opens a critical ticket, notifies the on-call team, keeps a timeline in a
// document, and publishes it when the incident is over. The alert's ID is the key, so a repeated alert is
// added to the open incident.

import { keepKey } from 'worktrack';
import { connect, createProject, deleteProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);
const open = await client.boards.create(project.id, { name: 'Open' });
const closed = await client.boards.create(project.id, { name: 'Closed', is_done: true });

const alert = { id: 'pagerduty-4711', title: 'The radio is silent' };
await start(alert);
await start(alert); // a repeated alert
await log(alert.id, 'The antenna points to the wrong planet.');
await finish(alert.id, 'The antenna was turned.');

const documents = await client.documents.list({ project_id: project.id, status: 'published' });
for (const { title, content_html } of documents.data) console.log(`${title}: ${content_html}`);

await deleteProject(client, project.id);

async function start({ id, title }: typeof alert): Promise<void> {
  const body = { project_id: project.id, title: `Incident: ${title}`, content_html: '<p>Timeline</p>' };
  const before = await client.documents.findByKey(id);
  const ticket = await client.tickets.findOrCreate(
    project.id,
    { board_id: open.id, title, priority: 'critical' },
    { key: id },
  );
  if (before) return console.log(`#${ticket.number} is already open.`);
  const members = await client.projects.members.list(project.id);
  const onCall = members.filter(({ role }) => role === 'owner' || role === 'admin');
  const { notification_ids } = await client.notifications.send({
    user_ids: onCall.map((member) => member.id),
    title: `Incident: ${title}`,
    body: `Ticket #${ticket.number} is critical.`,
    url: '/app/incidents',
  });
  // If the program stops before this line, the next alert notifies the team again, which is better than not
  // notifying it at all.
  await client.documents.findOrCreate(body, { key: id });
  console.log(`Opened #${ticket.number} and notified ${notification_ids.length} people.`);
}

/** Adds a line to the timeline. */
async function log(id: string, text: string, changes: { status?: 'published' } = {}): Promise<void> {
  const document = await client.documents.findOrCreate(
    { project_id: project.id, title: 'Incident' },
    { key: id },
  );
  const content_html = document.content_html ?? '';
  // If an earlier response was lost, the document may already contain this line.
  if (content_html.includes(text)) return;
  const longer = keepKey(`${content_html}<p>${text}</p>`, content_html);
  await client.documents.update(document.id, { content_html: longer, ...changes });
}

async function finish(id: string, text: string): Promise<void> {
  await log(id, text, { status: 'published' });
  const ticket = await client.tickets.findOrCreate(
    project.id,
    { board_id: open.id, title: 'Incident' },
    { key: id },
  );
  await client.tickets.move(ticket.id, { board_id: closed.id });
  console.log(`Closed #${ticket.number}.`);
}
