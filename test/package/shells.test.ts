import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { expect, inject, test } from 'vitest';

/** Runs a script in a shell with the packaged CLI on its `PATH`. */
function inShell(shell: string, args: string[], script: string): string {
  const path = [join(inject('home'), 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { stdout, stderr, error } = spawnSync(shell, [...args, '-c', script], {
    encoding: 'utf8',
    env: { PATH: path, HOME: inject('home'), TERM: 'dumb' },
    timeout: 60_000,
  });
  if (error) throw error;
  expect(stderr).toBe('');
  return stdout;
}

const has = (shell: string) =>
  process.platform !== 'win32' && spawnSync(shell, ['--version']).error === undefined;

/** Returns a test title. If the test is skipped, the title includes the reason. */
const titled = (shell: string) =>
  `${shell} completes commands, operations, options, and values${has(shell) ? '' : ` (NOT RUN: ${shell} isn't installed)`}`;

const expected = ['ti: tickets', 'tickets mo: move', 'tickets create p --priority h: high highest'];

test.skipIf(!has('bash'))(titled('bash'), () => {
  const script = `
    eval "$(worktrack completion bash)"
    complete -p worktrack
    try() {
      COMP_WORDS=(worktrack "$@") COMP_CWORD=$# COMPREPLY=()
      _worktrack
      echo "$*: \${COMPREPLY[*]}"
    }
    try ti; try tickets mo; try tickets create p --priority h
    try mock --seed ""; try documents list --status = dr`;
  expect(inShell('bash', ['--norc', '--noprofile'], script).trim().split('\n')).toEqual([
    'complete -o default -F _worktrack worktrack',
    ...expected,
    'mock --seed : ',
    'documents list --status = dr: draft',
  ]);
});

test.skipIf(!has('fish'))(titled('fish'), () => {
  const script = `
    worktrack completion fish | source
    for line in 'ti' 'tickets mo' 'tickets create p --priority h'
      echo "$line: "(complete -C "worktrack $line" | string join ' ')
    end`;
  expect(inShell('fish', ['--no-config'], script).trim().split('\n')).toEqual(expected);
});

test.skipIf(!has('zsh'))(titled('zsh'), () => {
  // Completion requires zsh's line editor, so the test types into zsh in a pseudo-terminal.
  const setUp = [
    'autoload -U compinit && compinit -u -D',
    'eval "$(worktrack completion zsh)"',
    // Replace the command with one that prints its arguments.
    'worktrack() { [[ $1 == completion ]] && command worktrack "$@" || print -r -- "<go""t $*>" }',
    'print rea""dy',
  ];
  const script = `
    zmodload zsh/zpty
    zpty inner zsh -f -i
    zpty -w inner '${setUp.join('; ')}'
    zpty -r -m inner said '*ready*'
    for words in 'ti' 'tickets mo' 'documents list --status dr'; do
      zpty -w inner "worktrack $words"$'\t'
      zpty -r -m inner said '*<got*>*'
      print -r -- "$words: \${\${said##*<got }%%>*}"
    done`;
  expect(inShell('zsh', ['-f'], script).trim().split('\n')).toEqual([
    'ti: tickets',
    'tickets mo: tickets move',
    'documents list --status dr: documents list --status draft',
  ]);
});
