import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { rejected, runWords } from './support/run.js';

const chrome = fileURLToPath(new URL('../../conformance/support/chrome.har.json', import.meta.url));

test('worktrack conformance --har prints problems and notes, and exits with 1', async () => {
  const { code, output, errors } = await runWords(['conformance', '--har', chrome]);
  expect([code, errors]).toEqual([1, '']);
  expect(output).toContain('✗ boards.list response: *.wip_limit must be a number (entry 2)');
  expect(output).toContain('– boards.list response: additional field "icon" (entry 2)');
});

test('worktrack conformance --har --format json prints the report', async () => {
  const { code, output } = await runWords(['conformance', '--har', chrome, '--format', 'json']);
  expect(code).toBe(1);
  expect(JSON.parse(output)).toMatchObject({
    entries: 4,
    ignored: 1,
    problems: [{ operation: 'boards.list' }, {}],
  });
});

test('worktrack conformance --har --format junit --output writes a file and prints the totals', async () => {
  const file = join(await temporaryFolder(), 'har.xml');
  const { output } = await runWords(['conformance', '--har', chrome, '--format', 'junit', '--output', file]);
  expect(output).toMatch(/^3 requests for 3 operations, .* 2 problems, 2 notes$/);
  expect(await readFile(file, 'utf8')).toContain('tests="3" failures="2" skipped="0"');
});

test('worktrack conformance --har exits with 3 if the recording contains no requests to the API', async () => {
  const file = join(await temporaryFolder(), 'empty.har');
  await writeFile(file, '{"log":{"entries":[]}}');
  expect(await runWords(['conformance', '--har', file])).toMatchObject({
    code: 3,
    output: '0 requests for 0 operations, 0 of 0 entries ignored, 0 problems, 0 notes',
    errors: `worktrack conformance: nothing was checked: ${file} contains no requests to the API`,
  });
});

test('worktrack conformance --har --base-url ignores requests to other servers', async () => {
  const withBaseUrl = (url: string) =>
    runWords(['conformance', '--har', chrome, '--base-url', url], {
      env: { WORKTRACK_BASE_URL: 'https://other.example' },
    });
  expect((await withBaseUrl('https://work.example.com')).output).toContain('1 of 4 entries ignored');
  const { code, output } = await withBaseUrl('https://staging.example.com');
  expect(output).toBe('0 requests for 0 operations, 4 of 4 entries ignored, 0 problems, 0 notes');
  expect(code).toBe(3);
  const { errors } = await withBaseUrl('work.example.com');
  expect(errors).toContain('--base-url must be an absolute URL');
});

test("worktrack conformance --har rejects a file that isn't a complete HTTP Archive", async () => {
  const file = join(await temporaryFolder(), 'traffic.har');
  await writeFile(file, '{"log":');
  expect(await runWords(['conformance', '--har', file])).toEqual(
    rejected(
      `worktrack conformance: --har: ${file}: the recording isn't an HTTP Archive (HAR): it isn't valid JSON`,
    ),
  );
});
