import { Argument, Command } from 'commander';
import type { CommandContext } from '../context.js';

export function createCommand(context: CommandContext): Command {
  return new Command('completion')
    .description('Print a script that completes commands, options, and values in your shell.')
    .addArgument(new Argument('<shell>', 'Shell to generate the script for').choices(Object.keys(scripts)))
    .addHelpText('after', setup)
    .action((shell: Shell) => context.print(scripts[shell]));
}

const setup = `
Add the line for your shell to its startup file:
  eval "$(worktrack completion bash)"     in .bashrc
  eval "$(worktrack completion zsh)"      in .zshrc, after compinit
  worktrack completion fish | source      in config.fish`;

type Shell = 'bash' | 'zsh' | 'fish';

// If nothing matches, as in `worktrack mock --seed w`, bash and zsh suggest file names instead.
const scripts: Readonly<Record<Shell, string>> = {
  // Avoid `mapfile` and `source <(…)`, because macOS ships bash 3.2, which doesn't support them.
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
complete -c worktrack -F -n 'contains -- (commandline -opc)[-1] import sync --seed --persist --output --book --save --apply --secret'`,
};
