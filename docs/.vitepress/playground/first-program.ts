// Moves two tickets to Review, which has a WIP limit of 1.
// Run it. Then set the limit to 2 on the board, and run it again.

import { UnprocessableError, Worktrack } from 'worktrack';

// The client is connected to the mock server on this page.
const client = new Worktrack();

for (const id of ['tkt_radio', 'tkt_manual']) {
  try {
    const ticket = await client.tickets.move(id, { board_id: 'brd_review' });
    console.log(`${ticket.title} is in review.`);
  } catch (error) {
    if (!(error instanceof UnprocessableError)) throw error;
    console.log(`${error.code}: ${error.message}`);
  }
}
