import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Worktrack } from 'worktrack';
import { root } from '../../tools/entries.js';

/** Type-checks a program that adapts the client's types, and returns the errors. */
function errorsOf(program: string): string {
  const folder = mkdtempSync(join(root, 'node_modules/.register-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'main.ts'), program);
  const config = { extends: join(root, 'tsconfig.json'), include: ['main.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  try {
    execFileSync(process.execPath, [
      join(root, 'node_modules/typescript-7/bin/tsc'),
      '--noEmit',
      '-p',
      folder,
    ]);
    return '';
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout ?? error);
  }
}

test('Register can set the type of contexts and make the board of a new ticket optional', () => {
  const errors = errorsOf(`
    import type { ImportTicketsOptions } from 'worktrack/jobs';
    import { Worktrack } from 'worktrack';

    declare module 'worktrack' {
      interface Register {
        context: { requestId: string };
        defaultBoard: true;
      }
    }

    const client = new Worktrack({
      defaultBoard: true,
      hooks: { request: ({ context }) => context?.requestId.trim() as unknown as void },
    });
    client.tickets.create('p', { title: 'T' }, { context: { requestId: 'r' } });
    client.tickets.create('p', { title: 'T', board_slug: 'to-do' });
    client.tickets.findOrCreate('p', { title: 'T' }, { key: 'k' });
    export const toTicket: ImportTicketsOptions<string>['toTicket'] = (title) => ({ title });
    // @ts-expect-error: both boards are set
    client.tickets.create('p', { title: 'T', board_id: 'b', board_slug: 's' });
    // @ts-expect-error: the title is missing
    client.tickets.create('p', {});
    // @ts-expect-error: the context has a different type
    client.tickets.get('t', { context: 1 });
  `);
  expect(errors).toBe('');
});

test('without Register, a new ticket needs a board', () => {
  const calls = (client: Worktrack) => [
    // @ts-expect-error: the board is missing
    client.tickets.create('p', { title: 'T' }),
    client.tickets.get('t', { context: 1 }),
  ];
  expect(calls).toBeTypeOf('function');
});
