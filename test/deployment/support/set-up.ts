import { onTestFinished } from 'vitest';
import { Worktrack } from 'worktrack';
import { type Failure, startDeployment } from './deployment.js';
import type { Settings } from './records.js';
import type { Row } from './rows.js';

/** The connection is closed after the request has been processed. */
export const lost: Failure = { processed: true };
/** The connection is closed before the request is processed. */
export const reset: Failure = { processed: false };

/** Starts a deployment with a board. */
export async function setUp(settings?: Partial<Settings>) {
  const deployment = await startDeployment(settings);
  onTestFinished(() => deployment.close());
  const { records } = deployment;
  const project = records.addProject('Apollo').id;
  const board = records.addBoard(project, 'To do').id;
  const client = new Worktrack({ ...deployment.client, logLevel: 'off', retry: { maxDelay: 20 } });
  const toTicket = ({ title, text }: Row) => ({
    board_id: board,
    title,
    ...(text !== undefined && { description_html: text }),
  });
  return { deployment, records, project, board, client, toTicket };
}
