import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { operationCommand } from '../../../cli/operations/operation-command.js';
import { apolloNow, apolloWorld } from '../../../docs/.vitepress/content/world.js';
import { root } from '../../../scripts/entries.js';

const guide = readFileSync(`${root}docs/cli.md`, 'utf8');
const [, calls = ''] = /^## Calls\n+```sh\n(.*?)^```$/ms.exec(guide) ?? [];
const commands = calls.trim().split('\n');

/** The words of a line as a shell takes them; all that is quoted there stands in single quotes. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test.each(commands)('the guide to the command line can be typed as it stands: %s', async (line) => {
  const mock = createMockServer({ now: apolloNow, world: apolloWorld });
  const { baseUrl, token, organization } = mock.clientOptions();
  const errors: string[] = [];
  const [npx, worktrack, ...words] = wordsOf(line);
  const code = await operationCommand(words, {
    env: { WORKTRACK_BASE_URL: baseUrl, WORKTRACK_ORGANIZATION: organization },
    terminal: true,
    print: () => {},
    printError: (text) => errors.push(text),
    client: { token, fetch: mock.fetch },
  });
  expect([npx, worktrack, code, errors]).toEqual(['npx', 'worktrack', 0, []]);
});
