import { Command, InvalidArgumentError, Option } from 'commander';
import { append, integer } from '../command-line.js';
import { addConnectionOptions } from '../connection.js';
import type { CommandContext } from '../context.js';
import { environmentHelp } from '../help-text.js';
import { runWatchCommand, type WatchFlags } from './run-watch-command.js';

export function createCommand(context: CommandContext): Command {
  const command = new Command('watch')
    .description(
      "Print changes to projects, or pass each change to a command or webhook. Without --project, watches the organization's projects and documents.",
    )
    .option('--project <key>', 'Key, name, or ID of a project to watch (repeatable)', append)
    .option('--include <kinds>', 'Kinds of records to watch, such as ticket,board (default: all that apply)')
    .option('--snapshot <file>', 'File that stores what was delivered; without it, each run starts over')
    .addOption(
      new Option(
        '--every <seconds>',
        'Seconds between reads (default: 15 to 240, depending on activity)',
      ).argParser(parseSeconds),
    )
    .option('--once', 'Read once and exit, for example in a cron job; requires --snapshot')
    .addOption(
      new Option('--initial <mode>', 'What to do with existing records on the first run')
        .choices(['baseline', 'emit'])
        .default('baseline', 'baseline: only store them'),
    )
    .option('--ticket-order', "Also report when a board's tickets are reordered")
    .addOption(
      new Option('--max-deletions <number>', 'Stop if more records disappear between two reads').argParser(
        integer(0),
      ),
    )
    .addOption(
      new Option(
        '--exec <command>',
        'Run a shell command for each change, with the change on stdin',
      ).conflicts('post'),
    )
    .option('--post <url>', 'Send each change to a webhook, signed according to Standard Webhooks')
    .option('--secret <file>', 'File with the webhook secret (env: WORKTRACK_WEBHOOK_SECRET)')
    .addHelpText('after', examples)
    .action((flags: WatchFlags) => runWatchCommand(flags, context));
  return addConnectionOptions(command);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds === 0) {
    throw new InvalidArgumentError('Expected a positive number of seconds.');
  }
  return seconds;
}

const examples = `
In a terminal, each change is a line of text. Otherwise, each change is a line of JSON.

A change counts as delivered when it's printed, the command exits with 0, or the webhook responds with 2xx.
With --snapshot, the next run retries undelivered changes. They have the same IDs, unless their records have
changed again.

Examples:
  worktrack watch --project APO
  worktrack watch --project APO --include ticket --snapshot apo.snapshot --once
  worktrack watch --project APO --snapshot apo.snapshot --exec 'jq -r .type >> changes.log'
  worktrack watch --snapshot org.snapshot --post https://example.com/hooks --secret webhook-secret.txt

${environmentHelp}
  WORKTRACK_WEBHOOK_SECRET secret for --post, such as whsec_…

Exit codes:
  0    changes were delivered, or the watch was stopped (without --once)
  1    a change couldn't be printed, the command or webhook failed, the credential is invalid or lacks a scope, or the API didn't respond
  2    invalid command line or snapshot
  3    nothing changed (only with --once)
  4    not found (404)
  6    rate limit or server error (429, 5xx)
  129  stopped by SIGHUP (only with --once)
  130  stopped with Ctrl+C (only with --once)
  143  stopped by SIGTERM (only with --once)`;
