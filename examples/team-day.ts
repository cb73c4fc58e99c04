// Simulates a small team's day, from an empty project in the morning to the analytics in the evening. If
// WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and WORKTRACK_ORGANIZATION are set, it runs against your deployment.
// Otherwise, it runs against an in-memory mock server. At the end, it deletes the project and its documents.

import { UnprocessableError, type UpdateTicket, type Worktrack } from 'worktrack';
import { connect, createProject, deleteProject } from './support/connect.js';
import { drawBoard, drawProgress } from './support/draw-board.js';

const { client, place } = await connect();
const organization = await client.organization.get();
console.log(`\n${organization.name}, on ${place}\n`);

const project = await createProject(client);
try {
  await playTheDay(client, project.id);
} finally {
  await deleteProject(client, project.id);
}

async function playTheDay(client: Worktrack, project: string): Promise<void> {
  const log = (time: string, text: string) => console.log(`${time}  ${text}`);
  const show = async () => {
    const boards = await client.boards.list(project);
    const tickets = await client.tickets.list(project).toArray({ limit: 200 });
    console.log(`\n${drawBoard(boards, tickets)}\n`);
  };

  log('09:00', 'Create four boards, two of them with a WIP limit.');
  const todo = await client.boards.create(project, { name: 'To do' });
  const doing = await client.boards.create(project, { name: 'Doing', wip_limit: 2 });
  const review = await client.boards.create(project, { name: 'Review', wip_limit: 1 });
  const done = await client.boards.create(project, { name: 'Done', is_done: true });

  log('09:10', 'Create the tickets for the launch.');
  const people = await client.projects.members.list(project);
  const assign = (index: number) => people.slice(index, index + 1).map(({ id }) => id);
  const yesterday = new Date(Date.now() - 86_400_000);
  const add = (title: string, fields: Omit<UpdateTicket, 'title' | 'archived'> = {}) =>
    client.tickets.create(project, { board_id: todo.id, title, ...fields });

  const guidance = await add('Guidance program', { priority: 'critical', assignee_ids: assign(0) });
  const heatShield = await add('Heat shield tests', { priority: 'high', assignee_ids: assign(1) });
  const manual = await add('Crew manual', { due_at: yesterday });
  const dinner = await add('Launch-day dinner', { priority: 'low' });
  const radio = await add('Radio check', { assignee_ids: assign(0), due_at: yesterday });

  log('09:30', 'Start two tickets.');
  await client.tickets.move(guidance.id, { board_id: doing.id });
  await client.tickets.move(heatShield.id, { board_id: doing.id });
  await show();

  log('10:15', 'Try to start a third ticket. The server rejects the move:');
  try {
    await client.tickets.move(radio.id, { board_id: doing.id });
  } catch (error) {
    if (!(error instanceof UnprocessableError) || error.code !== 'wip_limit_reached') throw error;
    log('     ', error.message);
  }

  log('11:00', 'Move the guidance program to Review, and start the radio check.');
  await client.tickets.move(guidance.id, { board_id: review.id });
  await client.tickets.move(radio.id, { board_id: doing.id, position: 0 });
  await client.tickets.comments.create(guidance.id, {
    body_html: '<p>Landing phase reads well. Please check the restart logic.</p>',
  });

  log('13:30', 'Move the dinner to the top of the backlog.');
  await client.tickets.reorder(project, { board_id: todo.id, ticket_ids: [dinner.id, manual.id] });
  await show();

  log('14:00', 'Finish the guidance program, and write a runbook.');
  await client.tickets.move(guidance.id, { board_id: done.id });
  const runbook = await client.documents.create({
    project_id: project,
    title: 'Launch runbook',
    caption: 'Who does what, from T minus 60',
    content_html: '<h1>T minus 60</h1><p>Fuel, doors, crew.</p>',
    tag_names: ['launch', 'ops'],
  });
  await client.documents.create({ project_id: project, title: 'Notes', tag_names: ['launch'] });
  await client.documents.update(runbook.id, { status: 'published' });
  await client.documents.comments.create(runbook.id, { body_html: '<p>Printed and on the wall.</p>' });
  for await (const document of client.documents.list({ project_id: project, tags: ['launch', 'ops'] })) {
    log('     ', `tagged launch and ops: “${document.title}” (${document.status})`);
  }

  log('15:30', 'Delete the Review board and move its ticket back to Doing.');
  await client.tickets.move(heatShield.id, { board_id: review.id });
  await client.boards.delete(review.id, { move_to_board_id: doing.id });
  await client.tickets.update(radio.id, { priority: 'highest' });
  await client.tickets.move(radio.id, { board_id: done.id });

  log('17:00', 'Notify everyone.');
  const receipt = await client.notifications.send({
    user_ids: people.map(({ id }) => id),
    title: 'Apollo: two done, three to go',
    body: 'Guidance and radio are done. Dinner is at seven.',
    url: '/app/projects/apollo',
  });
  log('     ', `${receipt.notification_ids.length} notified`);
  await show();

  const analytics = await client.projects.analytics.get(project);
  log('17:30', drawProgress(analytics.completion_percentage));
  log(
    '     ',
    `${analytics.done} of ${analytics.total} done, ${analytics.open} open, ${analytics.overdue} overdue\n`,
  );
}
