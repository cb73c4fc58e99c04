import { expect, test } from 'vitest';
import { runWords } from './support/run.js';

/** The end of an operation's help, which is the same for all operations. */
const sharedSections = /\n\nEnvironment variables:[\s\S]*/;

test.each([
  ['', 'commands, examples, environment variables, and exit codes'],
  ['tickets', 'operations with their arguments'],
  ['organization', 'an operation without arguments'],
  ['tickets comments', 'operations without the word "comments"'],
  ['boards update', 'fields, scope, error codes, an example, environment variables, and exit codes'],
  ['completion', 'how to enable completion in each shell'],
  ['mock', 'options, examples, and exit codes'],
  ['import', 'options, ticket fields, examples, and exit codes'],
  ['sync', 'options, fields, examples, and exit codes'],
  ['watch', 'options, examples, and exit codes'],
  ['explore', 'options, kinds of failures, examples, and exit codes'],
  ['pull', 'options, examples, environment variables, and exit codes'],
  ['conformance', 'options, examples, and exit codes'],
  ['mcp', 'options, examples, and exit codes'],
])('worktrack %s --help shows %s', async (command) => {
  const { code, output, errors } = await helpOf(command);
  expect([code, errors]).toEqual([0, '']);
  await expect(output).toMatchFileSnapshot(`./help/${command.replace(' ', '-') || 'worktrack'}.txt`);
});

test.each([
  ['tickets create', 'required and repeatable fields, and allowed values'],
  ['tickets move', 'which option can replace a required ID'],
  ['projects list', 'filters, but no pages'],
  ['documents list', 'filters and --all, but not --data or --null'],
  ['documents update', 'the default status and how to unset fields'],
  ['projects delete', 'no fields or error codes'],
])('worktrack %s --help shows %s', async (command) => {
  const { code, output, errors } = await helpOf(command);
  expect([code, errors]).toEqual([0, '']);
  await expect(output.replace(sharedSections, '\n')).toMatchFileSnapshot(
    `./help/${command.replace(' ', '-')}.txt`,
  );
});

const helpOf = (command: string) => runWords([...command.split(' ').filter(Boolean), '--help']);
