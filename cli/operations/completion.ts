import { operationOf } from '../../src/contract/index.js';
import { UsageError } from '../usage-error.js';
import { commonOptions } from './arguments.js';
import { fieldsOf, namespaces } from './description.js';

export const completionUsage = `worktrack completion <bash|zsh|fish>: prints completion for a shell, for example
  source <(worktrack completion bash)`;

/** Prints the script for a shell; with `--words` what can follow the words, for those scripts. */
export async function completionCommand(args: readonly string[]): Promise<number> {
  const [shell = '', ...words] = args;
  if (shell === '--words') {
    console.log(candidates(words).join('\n'));
    return 0;
  }
  const script = scripts[shell];
  if (!script) throw new UsageError(`takes one of: ${Object.keys(scripts).join(', ')}`);
  console.log(script);
  return 0;
}

/** What can follow the words before the cursor; the last word may be a beginning. */
export function candidates(words: readonly string[]): string[] {
  const before = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const beginning = words.at(-1) ?? '';
  const [first] = before;
  const ids = first === undefined ? [] : (namespaces.get(first) ?? []);
  const id = ids.find((one) => one.split('.').every((word, index) => word === before[index]));
  const next = id
    ? [...fieldsOf(id).map(({ name }) => name), ...Object.keys(commonOptions), 'help'].map(
        (name) => `--${name}`,
      )
    : first === undefined
      ? [...namespaces.keys(), 'mock', 'conformance', 'completion']
      : ids
          .filter((one) => before.every((word, index) => one.split('.')[index] === word))
          .map((one) => one.split('.')[before.length] ?? '');
  if (id && operationOf(id).paginated === false) next.splice(next.indexOf('--all'), 1);
  return [...new Set(next)].filter((word) => word.startsWith(beginning) && word !== '');
}

const scripts: Record<string, string> = {
  bash: `_worktrack() { mapfile -t COMPREPLY < <(worktrack completion --words "\${COMP_WORDS[@]:1:COMP_CWORD}"); }
complete -F _worktrack worktrack`,
  zsh: `#compdef worktrack
_worktrack() { compadd -- \${(f)"$(worktrack completion --words "\${(@)words[2,CURRENT]}")"} }
compdef _worktrack worktrack`,
  fish: `complete -c worktrack -f -a '(worktrack completion --words (commandline -opc)[2..] (commandline -ct))'`,
};
