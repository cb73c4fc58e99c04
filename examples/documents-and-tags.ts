// Creates a document, publishes it, comments on it, and finds the documents that have all of the given tags.

import { connect, createProject, deleteProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);

const runbook = await client.documents.create({
  project_id: project.id,
  title: 'Launch runbook',
  caption: 'Who does what, from T minus 60',
  content_html: '<h1>T minus 60</h1><p>Fuel, doors, crew.</p>',
  tag_names: ['launch', 'ops'],
});
await client.documents.create({
  project_id: project.id,
  title: 'Notes',
  tag_names: ['launch'],
});
console.log(`“${runbook.title}” is a ${runbook.status} by ${runbook.author?.name}.`);

const published = await client.documents.update(runbook.id, { status: 'published' });
console.log(`Published at ${published.published_at}.`);

await client.documents.comments.create(runbook.id, { body_html: '<p>Printed and on the wall.</p>' });

for (const tags of [['launch'], ['launch', 'ops'], ['launch', 'party']]) {
  const found = await client.documents.list({ project_id: project.id, tags }).toArray({ limit: 10 });
  console.log(`${tags.join(' + ')}: ${found.map(({ title }) => title).join(', ') || 'no documents'}`);
}

await deleteProject(client, project.id);
