import type { Command } from 'commander';
import type { OperationId } from '../../src/contract/index.js';
import type { CommandContext } from './context.js';

/** A `worktrack` command. The command's module is loaded only when the command runs. */
export interface CommandEntry {
  /** The one-line description in `worktrack --help`. */
  summary: string;
  load(): Promise<CommandModule>;
}

export interface CommandModule {
  /**
   * Creates the command with its options, help text, and action. The action throws a `UsageError` if its
   * input is invalid.
   */
  createCommand: (context: CommandContext, name: string) => Command;
}

/** The commands under "Tools" in `worktrack --help`, in display order. */
export const tools: Readonly<Record<string, CommandEntry>> = {
  mock: {
    summary: 'Start a local mock server',
    load: () => import('./mock/command.js'),
  },
  import: {
    summary: 'Import tickets from a CSV or NDJSON file without duplicates',
    load: () => import('./jobs/import/command.js'),
  },
  sync: {
    summary: 'Sync tickets with a CSV or NDJSON file',
    load: () => import('./jobs/sync/command.js'),
  },
  watch: {
    summary: 'Print changes, or pass them to a command or webhook',
    load: () => import('./commands/watch.js'),
  },
  explore: {
    summary: 'Test how a command handles failed requests',
    load: () => import('./explore/command.js'),
  },
  pull: {
    summary: 'Copy projects to a seed file for the mock server, with redacted values',
    load: () => import('./commands/pull.js'),
  },
  conformance: {
    summary: 'Check a deployment against the API specification',
    load: () => import('./commands/conformance.js'),
  },
  mcp: {
    summary: 'Start an MCP server for AI agents',
    load: () => import('./commands/mcp.js'),
  },
  completion: {
    summary: 'Print a shell completion script for bash, zsh, or fish',
    load: () => import('./commands/completion.js'),
  },
};

type Namespace = OperationId extends infer Id ? (Id extends `${infer Name}.${string}` ? Name : never) : never;

/**
 * The summary of each namespace. A namespace is the first part of an operation ID, such as `tickets` in
 * `tickets.list`.
 */
export const namespaceSummaries: Readonly<Record<Namespace, string>> = {
  organization: 'Read the organization',
  projects: 'Manage projects and read their members, labels, tags, and analytics',
  boards: "Manage a project's boards",
  tickets: 'Create, update, move, reorder, and comment on tickets',
  documents: 'Manage and comment on documents',
  notifications: 'Send notifications to users',
};
