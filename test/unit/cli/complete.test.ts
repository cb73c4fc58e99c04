import { expect, test } from 'vitest';
import { operationIds } from 'worktrack/contract';
import { namespaceSummaries, tools } from '../../../cli/commands.js';
import { runWords } from './support/run.js';

/** Returns the completions that the scripts get. */
const complete = async (words: readonly string[]) =>
  (await runWords(['completion', '--words', ...words])).output.split('\n').filter(Boolean);

test.each([
  ['the first word', ['ti'], ['tickets']],
  ['the operations of a namespace', ['tickets', 'c'], ['create', 'comments']],
  ['the second word of an operation', ['projects', 'members', ''], ['list']],
  ['nothing after an unknown word', ['boats', ''], []],
  ['the options of an operation', ['tickets', 'create', 'p', '--prio'], ['--priority']],
  ['both forms of a boolean', ['boards', 'update', 'b', '--no-is_d'], ['--no-is_done']],
  ['no --all for an unpaginated list', ['projects', 'list', '--al'], ['--allow-plain-http']],
  ['--all for a paginated list', ['tickets', 'list', 'p', '--al'], ['--all', '--allow-plain-http']],
  ['the values of an option', ['tickets', 'create', 'p', '--priority', 'h'], ['high', 'highest']],
  ['the values of a filter', ['documents', 'list', '--status', ''], ['draft', 'published']],
  [
    'values after =, as one word from zsh',
    ['tickets', 'update', 't', '--priority=lowe'],
    ['--priority=lowest'],
  ],
  [
    'values after =, as three words from bash',
    ['tickets', 'update', 't', '--priority', '=', 'lowe'],
    ['lowest'],
  ],
  ['values after = alone', ['documents', 'list', '--status', '='], ['draft', 'published']],
  ['the fields that can be null', ['tickets', 'update', 't', '--null', ''], ['description_html', 'due_at']],
  ['nothing for free text', ['tickets', 'create', 'p', '--title', ''], []],
  ['an option after the value of another', ['tickets', 'create', 'p', '--board-id', 'b', '--t'], ['--title']],
  ['the options of mock', ['mock', '--p'], ['--port', '--public-url', '--persist']],
  ['nothing for a file, so that the shell completes files', ['mock', '--seed', ''], []],
  ['the formats of a report', ['conformance', '--format', ''], ['text', 'junit', 'json']],
  ['the operations to check', ['conformance', '--operation', 'boards.d'], ['boards.delete']],
  ['the shells', ['completion', 'z'], ['zsh']],
  ['nothing inherited from Object.prototype', ['constr'], []],
  ['every command', [''], [...Object.keys(namespaceSummaries), ...Object.keys(tools), 'help']],
  ['the commands that have help', ['help', 'tickets', 'mo'], ['move']],
])('completion offers %s', async (_, words, expected) => {
  expect(await complete(words)).toEqual(expected);
});

test('completion reaches every operation', async () => {
  for (const id of operationIds) {
    const words = id.split('.');
    for (const [index, word] of words.entries()) {
      expect(await complete([...words.slice(0, index), word.slice(0, 3)])).toContain(word);
    }
    expect(await complete([...words, '--js'])).toEqual(['--json']);
  }
});
