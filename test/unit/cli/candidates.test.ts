import { expect, test } from 'vitest';
import { operationIds } from 'worktrack/contract';
import { candidates } from '../../../cli/operations/candidates.js';

test.each([
  ['the first word', ['ti'], ['tickets']],
  ['the operations of a word', ['tickets', 'c'], ['create', 'comments']],
  ['the second word of two', ['projects', 'members', ''], ['list']],
  ['nothing after a word that is none', ['boats', ''], []],
  ['the options of an operation', ['tickets', 'create', 'p', '--prio'], ['--priority']],
  ['both forms of a yes or no', ['boards', 'update', 'b', '--no-is_d'], ['--no-is_done']],
  ['no --all where there are no pages', ['projects', 'list', '--al'], ['--allow-plain-http']],
  ['--all where there are pages', ['tickets', 'list', 'p', '--al'], ['--all', '--allow-plain-http']],
  ['the values of an option', ['tickets', 'create', 'p', '--priority', 'h'], ['high', 'highest']],
  ['the values of a filter', ['documents', 'list', '--status', ''], ['draft', 'published']],
  [
    'values after =, one word as zsh has it',
    ['tickets', 'update', 't', '--priority=lowe'],
    ['--priority=lowest'],
  ],
  [
    'values after =, three words as bash has it',
    ['tickets', 'update', 't', '--priority', '=', 'lowe'],
    ['lowest'],
  ],
  ['values after = alone', ['documents', 'list', '--status', '='], ['draft', 'published']],
  ['what can be null', ['tickets', 'update', 't', '--null', ''], ['description_html', 'due_at']],
  ['no words in the place of free text', ['tickets', 'create', 'p', '--title', ''], []],
  ['options after the value of another', ['tickets', 'create', 'p', '--board-id', 'b', '--t'], ['--title']],
  ['the options of the server', ['mock', '--p'], ['--port', '--persist']],
  ['files for the server, from the shell', ['mock', '--seed', ''], []],
  ['the formats of a report', ['conformance', '--format', ''], ['text', 'junit', 'json']],
  ['the operations to try', ['conformance', '--operation', 'boards.d'], ['boards.delete']],
  ['the shells', ['completion', ''], ['bash', 'zsh', 'fish']],
  ['what there is help for', ['help', 'tickets', 'mo'], ['move']],
])('completion offers %s', (_, words, expected) => {
  expect(candidates(words)).toEqual(expected);
});

test('completion leads to every operation', () => {
  for (const id of operationIds) {
    const words = id.split('.');
    for (const [index, word] of words.entries()) {
      expect(candidates([...words.slice(0, index), word.slice(0, 3)])).toContain(word);
    }
    expect(candidates([...words, '--js'])).toEqual(['--json']);
  }
});
