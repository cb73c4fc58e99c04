import { Agent, get } from 'node:http';
import { ratio } from './support/measure.js';
import type { Benchmark } from './support/report.js';
import { startPlainServer, startReferenceServer } from './support/server.js';
import { projectId } from './support/world.js';

const path = `/api/v1/projects/${projectId}/tickets?per_page=50`;
const atOnce = 8;

/** The reference server over HTTP, a page of 50 of 100,000 tickets, against a server that sends the same bytes. */
export const standalone: Benchmark = async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const reference = await startReferenceServer();
  const page = await read(`${reference.url}${path}`, agent);
  const bare = await startPlainServer(page);
  try {
    const requests = (url: string) => () =>
      Promise.all(Array.from({ length: atOnce }, () => read(`${url}${path}`, agent)));
    // A rate is the reverse of the time a request takes: theirs over ours.
    const figure = await ratio(requests(bare.url), requests(reference.url), { repeat: 40, clock: 'wall' });
    return [
      {
        what: 'requests a second of the standalone server, 50 of 100,000 tickets each',
        against: 'a bare `node:http` server that sends the same bytes',
        figure,
        reach: { least: 0.35 },
      },
    ];
  } finally {
    reference.stop();
    bare.stop();
    agent.destroy();
  }
};

function read(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: 'Bearer wt_bench' } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode} ${text}`));
      });
    });
    request.on('error', reject);
  });
}
