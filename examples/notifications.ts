// Sends notifications. All recipients must belong to the organization, and the URL must be a path in the app.

import { UnprocessableError } from 'worktrack';
import { connect, createProject } from './support/connect.js';

const { client } = await connect();
const project = await createProject(client);
const people = await client.projects.members.list(project.id);

const receipt = await client.notifications.send({
  user_ids: people.map(({ id }) => id),
  title: 'Launch at nine',
  body: 'Bring sunglasses.',
  url: '/app/projects/apollo',
});
console.log(
  `Sent ${receipt.notification_ids.length} notifications to ${people.map(({ name }) => name).join(' and ')}.`,
);

try {
  await client.notifications.send({ user_ids: ['usr_stranger'], title: 'Psst', body: 'Launch at nine.' });
} catch (error) {
  if (!(error instanceof UnprocessableError)) throw error;
  console.log(`The server rejected an unknown user: ${error.message}`);
}

await client.projects.delete(project.id);
