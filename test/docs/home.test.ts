import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../../tools/entries.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const programs = ['handwritten', 'worktrack'] as const;

// The home page shows the code and the output of both programs. They run in a separate Vitest process,
// because one of them fails on purpose.
test('the home page shows the actual output of two tests, one with a handwritten mock and one with the mock server', async () => {
  const output = await runPrograms();
  expect(output.handwritten).toMatch(/^PASS/);
  expect(output.worktrack).toMatch(/^FAIL.*\n.*wip_limit_reached/);
  for (const name of programs) await expect(output[name]).toMatchFileSnapshot(`home/${name}.txt`);
}, 60_000);

async function runPrograms(): Promise<Record<(typeof programs)[number], string>> {
  const folder = await temporaryFolder();
  const file = join(folder, 'result.json');
  const args = [
    'run',
    '--config',
    'test/docs/home/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${file}`,
  ];
  // The exit code is 1, because one of the tests fails on purpose.
  await promisify(execFile)(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    cwd: root,
  }).catch(() => undefined);
  const { testResults }: Report = JSON.parse(readFileSync(file, 'utf8'));
  const outputOf = (name: string) => {
    const result = testResults.find(({ name: path }) => path.endsWith(`/${name}.ts`));
    const [assertion] = result?.assertionResults ?? [];
    if (!assertion) throw new Error(`${name}.ts didn't run`);
    const [problem = ''] = assertion.failureMessages.join('\n').split(/\n\s+at /);
    return [`${assertion.status === 'passed' ? 'PASS' : 'FAIL'} ${assertion.title}`, problem]
      .filter(Boolean)
      .join('\n');
  };
  return { handwritten: outputOf('handwritten'), worktrack: outputOf('worktrack') };
}

interface Report {
  testResults: {
    name: string;
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
}
