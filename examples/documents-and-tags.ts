// Creates a document, publishes it, comments on it, and finds the documents that have all the given tags.

import { connect } from './support/connect.js';

const { client } = await connect();

const runbook = await client.documents.create({
  title: 'Launch runbook',
  caption: 'Who does what, from T minus 60',
  content_html: '<h1>T minus 60</h1><p>Fuel, doors, crew.</p>',
  tag_names: ['launch', 'ops'],
});
const notes = await client.documents.create({ title: 'Notes', tag_names: ['launch'] });
console.log(`“${runbook.title}” is a ${runbook.status} by ${runbook.author?.name}.`);

const published = await client.documents.update(runbook.id, { status: 'published' });
console.log(`Published at ${published.published_at}.`);

await client.documents.comments.create(runbook.id, { body_html: '<p>Printed and on the wall.</p>' });

for (const tags of [['launch'], ['launch', 'ops'], ['launch', 'party']]) {
  const found = await client.documents.list({ tags }).toArray({ limit: 10 });
  console.log(`${tags.join(' + ')}: ${found.map(({ title }) => title).join(', ') || 'no documents'}`);
}

await client.documents.delete(runbook.id);
await client.documents.delete(notes.id);
