import { expect, test } from 'vitest';
import { operationIds } from 'worktrack/contract';
import { namespaceSummaries, tools } from '../../../addons/cli/commands.js';
import { runWords } from './support/run.js';

/** Requests completions the way the shell scripts do. */
const complete = async (words: readonly string[]) =>
  (await runWords(['completion', '--words', ...words])).output.split('\n').filter(Boolean);

const commands = [...Object.keys(namespaceSummaries), ...Object.keys(tools), 'help'].join(' ');

test.each([
  ['every command for an empty word', '', commands],
  ['a namespace for the first word', 'ti', 'tickets'],
  ["a namespace's operations", 'tickets c', 'create comments'],
  ["an operation's second word", 'projects members ', 'list'],
  ['nothing after an unknown word', 'boats ', ''],
  ['nothing inherited from Object.prototype', 'constr', ''],
  ['commands after help', 'help tickets mo', 'move'],
  ["an operation's options", 'tickets create p --prio', '--priority'],
  ['the negated form of a boolean option', 'boards update b --no-is_d', '--no-is_done'],
  ['no --all for an unpaginated list', 'projects list --al', '--allow-plain-http'],
  ['--all for a paginated list', 'tickets list p --al', '--all --allow-plain-http'],
  ["an option's values", 'tickets create p --priority h', 'high highest'],
  ["a filter's values", 'documents list --status ', 'draft published'],
  [
    'values after = if the shell passes one word (zsh)',
    'tickets update t --priority=lowe',
    '--priority=lowest',
  ],
  ['values after = if the shell passes three words (bash)', 'tickets update t --priority = lowe', 'lowest'],
  ['all values after a bare =', 'documents list --status =', 'draft published'],
  ['nullable fields for --null', 'tickets update t --null ', 'description_html due_at'],
  ['nothing for free text', 'tickets create p --title ', ''],
  ['nothing for text that contains an option', 'tickets create p --title a--priority=l', ''],
  ["an option after another option's value", 'tickets create p --board-id b --t', '--title --tsv'],
  ['the options of the mock command', 'mock --p', '--port --public-url --persist'],
  ['nothing for a file name, which the shell completes', 'mock --seed ', ''],
  ['report formats', 'conformance --format ', 'text junit json'],
  ['operations to check', 'conformance --operation boards.d', 'boards.delete'],
  ['shells', 'completion z', 'zsh'],
  ['options after an unknown option', 'tickets create p --unknown --prio', '--priority'],
  ['nothing after an unknown option and =', 'tickets create p --unknown=', ''],
  ['nothing after an option without values and =', 'tickets create p --board-id=', ''],
  ['nothing for the value of an option typed with a hyphen', 'tickets create p --board-id ', ''],
  ['nothing for the value of an option typed with an underscore', 'tickets create p --board_id ', ''],
  [
    'only options for an ID',
    'projects get ',
    '--fields --tsv --json --base-url --organization --allow-plain-http --help',
  ],
  ['options that accept names', 'tickets create p --as', '--assignee --assignee_ids'],
  ['filters', 'tickets list p --no-', '--no-done --no-archived'],
  ['the fields of a mapping', 'import tickets.csv --map ti', 'title='],
])('completion suggests %s', async (_, line, expected) => {
  expect((await complete(line.split(' '))).join(' ')).toBe(expected);
});

test('completion suggests every command if no word has been typed', async () => {
  expect((await complete([])).join(' ')).toBe(commands);
});

test('completion suggests every operation', async () => {
  for (const id of operationIds) {
    const words = id.split('.');
    for (const [index, word] of words.entries()) {
      expect(await complete([...words.slice(0, index), word.slice(0, 3)])).toContain(word);
    }
    expect(await complete([...words, '--js'])).toEqual(['--json']);
  }
});

// If nothing matches, bash and zsh suggest file names, and fish does so for arguments and options that take a file.
test('worktrack completion prints a script for each shell that gets its completions from worktrack', async () => {
  const runs = await Promise.all(['bash', 'zsh', 'fish'].map((shell) => runWords(['completion', shell])));
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(runs.map(({ output }) => output).join('\n\n')).toMatchInlineSnapshot(`
    "_worktrack() {
      local IFS=$'\\n'
      COMPREPLY=($(worktrack completion --words "\${COMP_WORDS[@]:1:COMP_CWORD}"))
    }
    complete -o default -F _worktrack worktrack

    #compdef worktrack
    _worktrack() {
      local -a found
      found=(\${(f)"$(worktrack completion --words "\${(@)words[2,CURRENT]}")"})
      (( $#found )) && compadd -- $found || _files
    }
    compdef _worktrack worktrack

    function __worktrack_words
      set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
      worktrack completion --words $words[2..]
    end
    complete -c worktrack -f -a '(__worktrack_words)'
    complete -c worktrack -F -n 'contains -- (commandline -opc)[-1] import sync --seed --persist --output --book --save --apply --secret'"
  `);
});
