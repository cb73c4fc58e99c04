import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { operationIds } from 'worktrack/contract';
import { createMockServer } from 'worktrack/mock-server';
import { cliCommand, curlCommand } from '../../docs/.vitepress/content/operation-page.js';
import { recordOperation } from '../../docs/.vitepress/content/operation-record.js';
import { apolloNow, apolloWorld } from '../../docs/.vitepress/content/world.js';
import { type Exchange, recordingFetch } from '../../docs/.vitepress/live/exchange.js';
import { runWords } from '../unit/cli/support/run.js';

/** Uses a POSIX shell to split a command into words. */
function wordsOf(command: string): string[] {
  const env = { WORKTRACK_BASE_URL: 'https://work.example.com', WORKTRACK_TOKEN: 'wt_example' };
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { env, encoding: 'utf8' });
  return stdout.split('\0').slice(0, -1);
}

test.each(operationIds)(
  'the curl command for %s sends a request identical to the recorded one',
  async (id) => {
    const exchange = await recordOperation(id);
    const [program, ...args] = wordsOf(curlCommand(exchange));
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        request: { type: 'string' },
        header: { type: 'string', multiple: true },
        data: { type: 'string', default: '' },
      },
    });
    expect(program).toBe('curl');
    expect(values.request).toBe(exchange.method);
    expect(positionals).toEqual([`https://work.example.com${exchange.target}`]);
    expect(values.header?.[0]).toBe('Authorization: Bearer wt_example');
    expect(values.data && JSON.parse(values.data)).toEqual(
      exchange.requestBody && JSON.parse(exchange.requestBody),
    );
  },
);

test.each(operationIds)(
  'the CLI command for %s sends a request identical to the recorded one',
  async (id) => {
    const mock = createMockServer({ now: apolloNow, world: apolloWorld });
    const sent: Exchange[] = [];
    const { number: _, ...recorded } = await recordOperation(id);
    const [npx, worktrack, ...args] = wordsOf(cliCommand(id, { number: 0, ...recorded }));
    expect([npx, worktrack]).toEqual(['npx', 'worktrack']);
    const { code, errors } = await runWords(args, {
      client: {
        ...mock.clientOptions(),
        fetch: recordingFetch(mock.fetch, (exchange) => sent.push(exchange)),
      },
    });
    expect(code, errors).toBe(0);
    // A command may look up names before it sends its request.
    const lookups = sent.slice(0, -1);
    expect(lookups.map(({ method }) => method)).toEqual(lookups.map(() => 'GET'));
    expect(sent.at(-1)).toEqual(expect.objectContaining(recorded));
  },
);
