import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

it('react-to-changes.ts reacts once to each change by another user, and never to its own changes', async () => {
  const program = join(inject('programs'), 'react-to-changes.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(stdout.trim().split('\n')).toEqual([
    '0 changes',
    '2 changes',
    'Radio is done.',
    'Notified Default user, Ada of Engine.',
    '0 changes',
  ]);
});
