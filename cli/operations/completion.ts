import { UsageError } from '../usage-error.js';
import { candidates } from './candidates.js';

export const completionUsage = `worktrack completion <bash|zsh|fish>: prints completion for a shell, for its start-up file:
  eval "$(worktrack completion bash)"     in .bashrc
  eval "$(worktrack completion zsh)"      in .zshrc, after compinit
  worktrack completion fish | source      in config.fish`;

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

// Where there is nothing to offer, bash and zsh offer files: `worktrack mock --seed w` has one.
const scripts: Record<string, string> = {
  // The bash that comes with macOS is of 2007: it has no mapfile, and no `source <(…)` that works.
  bash: `_worktrack() {
  local IFS=$'\\n'
  COMPREPLY=($(worktrack completion --words "\${COMP_WORDS[@]:1:COMP_CWORD}"))
}
complete -o default -F _worktrack worktrack`,
  zsh: `#compdef worktrack
_worktrack() {
  local -a found
  found=(\${(f)"$(worktrack completion --words "\${(@)words[2,CURRENT]}")"})
  (( $#found )) && compadd -- $found || _files
}
compdef _worktrack worktrack`,
  fish: `function __worktrack_words
  set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
  worktrack completion --words $words[2..]
end
complete -c worktrack -f -a '(__worktrack_words)'
complete -c worktrack -F -n 'contains -- (commandline -opc)[-1] --seed --persist --output'`,
};
