import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMockServer } from 'worktrack/mock-server';
import { commandLine } from '../unit/cli/support/run.js';

const guide = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
const [, calls = ''] = /^## Call the API\n+```sh\n(.*?)^```$/ms.exec(guide) ?? [];
const [, world = ''] = /^```json\n(.*?)^```$/ms.exec(guide) ?? [];
const lines = calls.trim().split('\n');

test.each(lines)("a command in the CLI guide succeeds with the guide's seed data: %s", async (line) => {
  const mock = createMockServer({ world });
  const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
  expect(words.splice(0, 2)).toEqual(['npx', 'worktrack']);
  const { code, output, errors } = await commandLine({ mock }).run(...words);
  // A deletion has an empty response.
  expect(output, errors).toMatch(words.includes('delete') ? /^$/ : /^[[{]/);
  expect(code).toBe(0);
  const { token, organization } = mock.clientOptions();
  expect(guide).toContain(`export WORKTRACK_TOKEN=${token}\nexport WORKTRACK_ORGANIZATION=${organization}\n`);
});
