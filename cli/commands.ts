import type { Command } from 'commander';
import type { OperationId } from '../src/contract/index.js';
import type { CommandContext } from './context.js';

/** A command of `worktrack`. Its code is loaded only when it runs. */
export interface CommandEntry {
  /** One line for `worktrack --help`. */
  summary: string;
  load(): Promise<CommandModule>;
}

/** The exports of a command's file. */
export interface CommandModule {
  /**
   * Builds the command with its options, its help text and its action. The action throws a `UsageError` if
   * its input is invalid.
   */
  createCommand: (context: CommandContext, name: string) => Command;
}

/** The commands that aren't API operations, in the order of `worktrack --help`. */
export const tools: Readonly<Record<string, CommandEntry>> = {
  mock: {
    summary: 'Start a local mock server of the API',
    load: () => import('./mock/command.js'),
  },
  import: {
    summary: 'Import tickets from a CSV or NDJSON file, each exactly once',
    load: () => import('./import/command.js'),
  },
  conformance: {
    summary: 'Check whether a deployment follows the API specification',
    load: () => import('./conformance/command.js'),
  },
  mcp: {
    summary: 'Serve the API to AI agents over MCP',
    load: () => import('./mcp/command.js'),
  },
  completion: {
    summary: 'Print a completion script for bash, zsh or fish',
    load: () => import('./completion/command.js'),
  },
};

type Namespace = OperationId extends infer Id ? (Id extends `${infer Name}.${string}` ? Name : never) : never;

/** The first words of the operation IDs, such as `tickets` for `tickets.list`. */
export const namespaceSummaries: Readonly<Record<Namespace, string>> = {
  organization: 'Read the organization',
  projects: 'Manage projects; read their members, labels, tags and analytics',
  boards: 'Manage the boards of a project',
  tickets: 'Manage tickets: create, update, move, reorder, comment',
  documents: 'Manage documents and comment on them',
  notifications: 'Notify users of the organization',
};
