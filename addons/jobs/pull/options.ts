import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Worktrack } from '../../../src/client.js';
import { ConfigurationError } from '../../../src/errors/index.js';
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
} from '../../../src/option-schema.js';

/** All {@link KeptKind}s. */
export const keptKinds = [
  'boards',
  'dates',
  'emails',
  'labels',
  'names',
  'projects',
  'tags',
  'texts',
  'titles',
] as const;

/**
 * The kinds of values that can be redacted:
 *
 * - `boards`: the names and slugs of boards
 * - `dates`: all dates and times
 * - `emails`: email addresses
 * - `labels`: the names of labels
 * - `names`: the names of users and credentials
 * - `projects`: the names of the organization and its projects
 * - `tags`: the names of tags
 * - `texts`: descriptions, captions, and the content of documents
 * - `titles`: the titles of tickets and documents
 */
export type KeptKind = (typeof keptKinds)[number];

/** Options for {@link pullWorld} and {@link pullWorldToFile}. */
export interface PullOptions {
  /**
   * The IDs, keys, or names of the projects to pull. Their documents are included.
   *
   * @defaultValue all projects and documents of the organization
   */
  projects?: readonly string[] | undefined;
  /**
   * The kinds of values to pull without redacting them. All others are replaced.
   *
   * @defaultValue `[]`
   */
  keep?: readonly KeptKind[] | undefined;
  /**
   * Whether to replace record IDs and project keys.
   *
   * @defaultValue false
   */
  renameIds?: boolean | undefined;
  /**
   * The maximum number of tickets to include. The same limit applies separately to documents. Both are chosen
   * at random, but the same `key` always results in the same choice. Boards never exceed their WIP limits.
   * The pull still reads all records.
   */
  sample?: number | undefined;
  /**
   * Whether to pull documents. Requires the `documents:read` scope.
   *
   * @defaultValue true
   */
  documents?: boolean | undefined;
  /**
   * A secret of at least 16 characters that determines all replacements. Pulls with the same key replace a
   * given value in the same way. Don't share the key along with the data. Otherwise, others could use it to
   * check their guesses at the original values.
   *
   * @defaultValue a random key
   */
  key?: string | undefined;
  /** Stops the pull. */
  signal?: AbortSignal | undefined;
  /** Called after each ticket, document, and project. If it fails, the pull stops with its error. */
  onProgress?: ((progress: PullProgress) => unknown) | undefined;
}

/** The number of records read so far. */
export interface PullProgress {
  projects: number;
  tickets: number;
  documents: number;
}

/** {@link PullOptions} with defaults applied. */
export type PullSettings = PullOptions & {
  [Name in 'keep' | 'renameIds' | 'documents' | 'key']: NonNullable<PullOptions[Name]>;
};

const isListOf = (fits: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(fits);

const schema: OptionsSchema = z.strictObject({
  projects: option(
    'a non-empty list of project IDs, keys, or names',
    (value) => isListOf(isNonEmptyString)(value) && (value as []).length > 0,
  ),
  keep: option(
    `a list of: ${keptKinds.join(', ')}`,
    isListOf((kind) => keptKinds.includes(kind as KeptKind)),
  ),
  renameIds: boolean(),
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

/** @throws ConfigurationError if the client or an option is invalid */
export function readOptions(name: string, client: Worktrack, options: PullOptions): PullSettings {
  const fail = (message: string) => new ConfigurationError(`${name}: ${message}`);
  checkOptions(clientSchema, { client }, { fail });
  checkOptions(schema, options, { fail });
  const { keep = [], renameIds = false, documents = true, key = randomUUID() } = options;
  return { ...options, keep, renameIds, documents, key };
}
