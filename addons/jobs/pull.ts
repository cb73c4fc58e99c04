import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { World } from '../../mock-server/index.js';
import { ConfigurationError, type Worktrack } from '../../src/index.js';
import {
  abortSignal,
  boolean,
  checkOptions,
  clientOption,
  fn,
  isNonEmptyString,
  type OptionsSchema,
  option,
  positiveInteger,
  secretOption,
} from '../../src/internal.js';

import { realPathOf, replaceFile, specialFileAt } from '../../src/node/internal.js';
import { by } from '../shared/lists.js';
import {
  fileStore,
  memoryStore,
  type PulledData,
  type SeedStore,
  type Stored,
  seedFile,
} from './pull-file.js';
import { readDeployment } from './pull-read.js';
import { type KeptKind, keptKinds, Redaction } from './pull-redaction.js';
import { SeedRecords } from './pull-rules.js';

export type { KeptKind } from './pull-redaction.js';

/** Options for {@link pull}. */
export interface PullOptions {
  /**
   * The file to write. It's replaced only when the new file is complete, and only its owner can read it. If
   * the path is a symbolic link, the link's target is replaced.
   *
   * @defaultValue the seed data is returned
   */
  output?: string | undefined;
  /**
   * The IDs, keys, or names of the projects to pull. Their documents are included.
   *
   * @defaultValue all projects and documents of the organization
   */
  projects?: readonly string[] | undefined;
  /**
   * The kinds of values to leave unchanged. All others are replaced.
   *
   * @defaultValue `[]`
   */
  keep?: readonly KeptKind[] | undefined;
  /**
   * The maximum number of tickets to include. The same limit applies separately to documents. Both are chosen
   * at random. The pull still reads all records.
   *
   * @defaultValue no limit
   */
  sample?: number | undefined;
  /**
   * Whether to pull documents. Requires the `documents:read` scope.
   *
   * @defaultValue true
   */
  documents?: boolean | undefined;
  /**
   * A secret of at least 16 characters that determines all replacements and the sample. The same key and data
   * always result in the same seed data. Anyone who has the key can check guesses at the original values.
   *
   * @defaultValue a random key
   */
  key?: string | undefined;
  /** Stops the pull. */
  signal?: AbortSignal | undefined;
  /** Called after each ticket and document with the number of records read so far. */
  onProgress?: ((records: number) => void) | undefined;
}

/** What {@link pull} wrote to a file. */
export interface PullReport {
  /** The number of records in the file. */
  projects: number;
  boards: number;
  tickets: number;
  documents: number;
  users: number;
  /** The number of tickets and documents that aren't part of the sample. */
  leftOut: number;
}

/**
 * Reads projects from a deployment and returns them as seed data for the mock server, or writes them to a
 * file. Replaces IDs, names, email addresses, text, and dates unless you keep them.
 *
 * Reads every record, even if the data changes during the pull. Sends only GET requests. Requires the
 * `organization:read`, `projects:read`, `boards:read`, `tickets:read`, and `documents:read` scopes.
 *
 * With `output`, a pull of any size needs little memory, because tickets and documents are buffered in a
 * temporary file next to the output.
 *
 * @throws {@link ConfigurationError} if an option is invalid, or if `output` isn't a regular file
 * @throws {@link WorktrackError} with the code `lookup` if a project is unknown, or if its name is ambiguous
 * @throws {@link PermissionDeniedError} if the credential lacks a scope
 * @throws {@link IncompleteListError} if a list changes too fast to be read completely
 * @throws a system error if the file can't be written
 *
 * @example
 * ```ts
 * const world = await pull(client, { projects: ['APO'], sample: 100 });
 * const mock = createMockServer({ world });
 *
 * const report = await pull(client, { output: 'seed.json', key: process.env.PULL_KEY });
 * console.log(`${report.tickets} tickets`);
 * ```
 */
export function pull(client: Worktrack, options: PullOptions & { output: string }): Promise<PullReport>;
export function pull(client: Worktrack, options?: PullOptions & { output?: undefined }): Promise<World>;
export async function pull(client: Worktrack, options: PullOptions = {}): Promise<World | PullReport> {
  const fail = (message: string) => new ConfigurationError(`pull: ${message}`);
  checkOptions(clientSchema, { client }, { fail });
  checkOptions(schema, options, { fail });
  const { output, signal } = options;
  if (output === undefined) {
    const parts: string[] = [];
    for await (const part of (await read(client, options, memoryStore())).file) parts.push(part);
    return JSON.parse(parts.join('')) as World;
  }
  const special = await specialFileAt(output);
  if (special) throw fail(`option "output": ${output} is ${special}; pass the path to a regular file`);
  const path = await realPathOf(output);
  const store = await fileStore(path);
  try {
    const { file, report } = await read(client, options, store);
    await replaceFile(path, file, { beforeRename: () => signal?.throwIfAborted() });
    return report;
  } finally {
    await store.close();
  }
}

const isListOf = (fits: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(fits);

const schema: OptionsSchema = z.strictObject({
  output: option('a non-empty path', isNonEmptyString),
  projects: option(
    'a non-empty list of project IDs, keys, or names',
    (value) => isListOf(isNonEmptyString)(value) && (value as []).length > 0,
  ),
  keep: option(
    `a list of: ${keptKinds.join(', ')}`,
    isListOf((kind) => keptKinds.includes(kind as KeptKind)),
  ),
  sample: positiveInteger(),
  documents: boolean(),
  key: secretOption(
    'a string of at least 16 characters',
    (value) => typeof value === 'string' && value.length >= 16,
  ),
  signal: abortSignal(),
  onProgress: fn(),
} satisfies Record<keyof PullOptions, z.ZodMiniType>);

const clientSchema: OptionsSchema = z.object({ client: clientOption() });

/** Reads the deployment, and takes the sample. */
async function read(client: Worktrack, options: PullOptions, store: SeedStore) {
  const { projects, keep = [], sample = Infinity, documents = true, key = randomUUID() } = options;
  const { signal, onProgress } = options;
  const seeds = new SeedRecords(new Redaction(key, keep));
  const source = { client, projects, documents, seeds, store, call: { signal }, onProgress };
  const all = await readDeployment(source);
  const tickets = all.projects.flatMap(({ boards }) => boards).flatMap((board) => board.tickets);
  const chosen = new Set([...chooseSample(tickets, sample), ...chooseSample(all.documents, sample)]);
  const isChosen = (record: Stored) => chosen.has(record);
  for (const { boards } of all.projects) {
    for (const board of boards) board.tickets = board.tickets.filter(isChosen);
  }
  const data: PulledData = { ...all, documents: all.documents.filter(isChosen) };
  const report: PullReport = {
    projects: data.projects.length,
    boards: data.projects.flatMap(({ boards }) => boards).length,
    tickets: chosen.size - data.documents.length,
    documents: data.documents.length,
    users: (data.organization.users as unknown[]).length,
    leftOut: tickets.length + all.documents.length - chosen.size,
  };
  return { file: seedFile(describe(options), data, store), report };
}

const chooseSample = (records: readonly Stored[], sample: number): readonly Stored[] =>
  records.length <= sample ? records : [...records].sort(by(({ rank }) => rank)).slice(0, sample);

/** Describes the data for anyone who opens the file. */
function describe({ projects, keep = [], sample, documents = true }: PullOptions): string[] {
  const replaced = keptKinds.filter((kind) => !keep.includes(kind));
  return [
    'Pulled from a deployment with "worktrack pull".',
    `Contains ${projects ? 'some' : 'all'} projects${documents ? ' and their documents' : ', without documents'}.`,
    ...(sample === undefined ? [] : [`Sample: at most ${sample} tickets and ${sample} documents.`]),
    "Missing, because the API doesn't return them: comments, notifications, tokens, deleted records, the history of changes, and users who aren't members of a project.",
    `Replaced: ${replaced.join(', ') || 'nothing'}.`,
    `Not replaced: ${[...keep, 'colors', 'numbers'].join(', ')}.`,
    'Credentials have made-up tokens.',
  ];
}
