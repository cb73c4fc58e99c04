import type { Worktrack } from 'worktrack';
import { type Book, watchChanges } from 'worktrack/jobs';

/** Posts a message for each new ticket to a chat webhook, such as one from Slack or Mattermost. */
export async function postToChat(client: Worktrack, project: string, book: Book, webhook: string) {
  for await (const change of watchChanges({ client, project, include: ['ticket'], book })) {
    if (change.type !== 'ticket.created') continue;
    const { title, priority } = change.after;
    const response = await fetch(webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `New ticket: ${title} (${priority})` }),
    });
    if (!response.ok) throw new Error(`the chat responded with ${response.status}`);
  }
}
