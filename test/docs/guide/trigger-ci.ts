import type { Worktrack } from 'worktrack';
import { type Book, watchChanges } from 'worktrack/jobs';

/** Starts a GitHub Actions workflow when a ticket is moved to the "Ready for release" board. */
export async function triggerCi(
  client: Worktrack,
  project: string,
  book: Book,
  repository = 'https://api.github.com/repos/acme/apollo',
) {
  const boards = await client.boards.list(project);
  const ready = boards.find(({ name }) => name === 'Ready for release');
  for await (const change of watchChanges({ client, project, include: ['ticket'], book })) {
    if (change.type !== 'ticket.moved' || change.after.board_id !== ready?.id) continue;
    const client_payload = { ticket: change.after.number, change: change.id };
    const response = await fetch(`${repository}/dispatches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${process.env.GITHUB_TOKEN}`, accept: 'application/vnd.github+json' },
      body: JSON.stringify({ event_type: 'release', client_payload }),
    });
    if (!response.ok) throw new Error(`GitHub responded with ${response.status}`);
  }
}
