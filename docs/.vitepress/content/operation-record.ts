import { createMockServer } from '../../../mock-server/index.js';
import { type OperationId, Worktrack } from '../../../src/index.js';
import { type Exchange, recordingFetch } from '../live/exchange.js';
import { operationExamples } from './operation-examples.js';
import { apolloNow, apolloWorld } from './world.js';

/** Runs an operation's example with the Apollo world as seed data, and returns the request and response. */
export async function recordOperation(
  id: OperationId,
  mock = createMockServer({ now: apolloNow, world: apolloWorld }),
): Promise<Exchange> {
  const exchanges: Exchange[] = [];
  const client = new Worktrack({
    ...mock.clientOptions(),
    fetch: recordingFetch(mock.fetch, (exchange) => exchanges.push(exchange)),
  });
  await operationExamples[id](client);
  const [exchange] = exchanges;
  if (!exchange || exchanges.length > 1) throw new Error(`the example for ${id} must make exactly one call`);
  return exchange;
}
