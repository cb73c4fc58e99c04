import { onTestFinished } from 'vitest';
import { listen } from 'worktrack/mock-server/node';
import { connectionVariables } from '../../../../addons/cli/mock/processes.js';

/** Starts a mock server until the end of the test, and returns the environment variables that point to it. */
export async function startServer() {
  const server = await listen();
  onTestFinished(() => server.close());
  return { server, mock: server.mock, env: connectionVariables(server.clientOptions()) };
}
