import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { Worktrack } from 'worktrack';
import { createMockServer, type MockServerOptions } from 'worktrack/mock-server';

/** Creates a client and everything else that a ticket target or a `bulk()` loop needs. */
export function setUp(options?: MockServerOptions) {
  const mock = createMockServer(options);
  const { id: project } = mock.add.project();
  const { id: board_id } = mock.add.board({ project });
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch, logLevel: 'off' });
  return { client, project, toTicket: (row: number) => ({ board_id, title: `Ticket ${row}` }) };
}

/** Yields rows one at a time, so that a benchmark can measure more rows than fit in memory. */
export function* rows(count: number): Generator<number> {
  for (let row = 0; row < count; row++) yield row;
}

export const newQueueName = () => `bench-${randomUUID()}`;

export function isListening(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
