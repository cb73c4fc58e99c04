import { expect, test } from 'vitest';
import { operationIds } from 'worktrack/contract';
import { namespaceSummaries, tools } from '../../../cli/commands.js';
import { runWords } from './support/run.js';

/** Requests completions the way the shell scripts do. */
const complete = async (words: readonly string[]) =>
  (await runWords(['completion', '--words', ...words])).output.split('\n').filter(Boolean);

test.each([
  ['a namespace for the first word', ['ti'], ['tickets']],
  ["a namespace's operations", ['tickets', 'c'], ['create', 'comments']],
  ["an operation's second word", ['projects', 'members', ''], ['list']],
  ['nothing after an unknown word', ['boats', ''], []],
  ["an operation's options", ['tickets', 'create', 'p', '--prio'], ['--priority']],
  ['the negated form of a boolean option', ['boards', 'update', 'b', '--no-is_d'], ['--no-is_done']],
  ['no --all for an unpaginated list', ['projects', 'list', '--al'], ['--allow-plain-http']],
  ['--all for a paginated list', ['tickets', 'list', 'p', '--al'], ['--all', '--allow-plain-http']],
  ["an option's values", ['tickets', 'create', 'p', '--priority', 'h'], ['high', 'highest']],
  ["a filter's values", ['documents', 'list', '--status', ''], ['draft', 'published']],
  [
    'values after = if the shell passes one word (zsh)',
    ['tickets', 'update', 't', '--priority=lowe'],
    ['--priority=lowest'],
  ],
  [
    'values after = if the shell passes three words (bash)',
    ['tickets', 'update', 't', '--priority', '=', 'lowe'],
    ['lowest'],
  ],
  ['all values after a bare =', ['documents', 'list', '--status', '='], ['draft', 'published']],
  ['nullable fields for --null', ['tickets', 'update', 't', '--null', ''], ['description_html', 'due_at']],
  ['nothing for free text', ['tickets', 'create', 'p', '--title', ''], []],
  [
    "an option after another option's value",
    ['tickets', 'create', 'p', '--board-id', 'b', '--t'],
    ['--title'],
  ],
  ['the options of the mock command', ['mock', '--p'], ['--port', '--public-url', '--persist']],
  ['nothing for a file name, which the shell completes', ['mock', '--seed', ''], []],
  ['report formats', ['conformance', '--format', ''], ['text', 'junit', 'json']],
  ['operations to check', ['conformance', '--operation', 'boards.d'], ['boards.delete']],
  ['shells', ['completion', 'z'], ['zsh']],
  ['nothing inherited from Object.prototype', ['constr'], []],
  [
    'every command for an empty word',
    [''],
    [...Object.keys(namespaceSummaries), ...Object.keys(tools), 'help'],
  ],
  ['commands after help', ['help', 'tickets', 'mo'], ['move']],
])('completion offers %s', async (_, words, expected) => {
  expect(await complete(words)).toEqual(expected);
});

test('completion offers every operation', async () => {
  for (const id of operationIds) {
    const words = id.split('.');
    for (const [index, word] of words.entries()) {
      expect(await complete([...words.slice(0, index), word.slice(0, 3)])).toContain(word);
    }
    expect(await complete([...words, '--js'])).toEqual(['--json']);
  }
});
