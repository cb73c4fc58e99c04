import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { apolloNow, apolloWorld } from '../../../docs/.vitepress/content/world.js';
import { root } from '../../../tools/entries.js';
import { commandLine, wordsOf } from './support/run.js';

const guide = readFileSync(`${root}docs/cli.md`, 'utf8');
const [, calls = ''] = /^## Call the API\n+```sh\n(.*?)^```$/ms.exec(guide) ?? [];
const commands = calls.trim().split('\n');

test.each(commands)('an example in docs/cli.md succeeds: %s', async (line) => {
  const mock = createMockServer({ now: apolloNow, world: apolloWorld });
  const [npx, worktrack, ...words] = wordsOf(line);
  const { code, errors } = await commandLine({ mock, terminal: true }).run(...words);
  expect([npx, worktrack, code, errors]).toEqual(['npx', 'worktrack', 0, '']);
});
