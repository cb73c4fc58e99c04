import { expect, test } from 'vitest';
import { runWords } from './support/run.js';

/** The end of an operation's help, which is the same for all operations. */
const sharedSections = /\n\nEnvironment variables:[\s\S]*/;

const tools = ['completion', 'mock', 'import', 'sync', 'watch', 'explore', 'pull', 'conformance', 'mcp'];

/** Operations whose options show each kind of field, filter, and page. */
const operations = [
  'tickets create',
  'tickets move',
  'projects list',
  'documents list',
  'documents update',
  'projects delete',
];

test.each(['', 'tickets', 'organization', 'tickets comments', 'boards update', ...tools, ...operations])(
  'the help of worktrack %s matches its snapshot',
  async (command) => {
    const { code, output, errors } = await runWords([...command.split(' ').filter(Boolean), '--help']);
    expect([code, errors]).toEqual([0, '']);
    const shown = operations.includes(command) ? output.replace(sharedSections, '\n') : output;
    await expect(shown).toMatchFileSnapshot(`./help/${command.replace(' ', '-') || 'worktrack'}.txt`);
  },
);
