// Runs one client in a separate process: `client-process.ts <name> <url>`. Each incoming message contains a
// method and a turn, and the process replies with the CPU time per call.
import { type Turn, time } from '../support/measure.js';
import { clients } from './clients.js';
import type { Client } from './sdks.js';

const [name = '', url = ''] = process.argv.slice(2);

try {
  const client = await clients[name]?.(url);
  if (!client) throw new Error(`unknown client ${name}`);
  process.on('message', async ({ method, turn }: { method: keyof Client; turn: Turn }) => {
    process.send?.({ taken: await time(client[method], turn) });
  });
  process.send?.({ url });
} catch (error) {
  process.send?.({ notRun: (error as Error).message });
}
process.on('disconnect', () => process.exit());
