import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

it.each([
  [
    'react-to-changes',
    'reacts once to each change by another user, and never to its own changes',
    ['0 changes', '2 changes', 'Radio is done.', 'Notified Default user, Ada of Engine.', '0 changes'],
  ],
  [
    'sync-csv',
    'creates, moves, and archives tickets to match the rows of its CSV file',
    [
      'create A-1: Fuel the rocket',
      'create A-2: Close the doors',
      '2 created, 0 updated, 0 archived, 0 with conflicts, 0 failed',
      'update A-1: Fuel the rocket',
      'archive A-2: Close the doors',
      '0 created, 1 updated, 1 archived, 0 with conflicts, 0 failed',
    ],
  ],
])('%s.ts %s', async (name, _, lines) => {
  const program = join(inject('programs'), `${name}.mjs`);
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(stdout.trim().split('\n')).toEqual(lines);
});
