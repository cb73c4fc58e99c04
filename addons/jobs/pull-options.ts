import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
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
import { type KeptKind, keptKinds } from './pull-rules.js';

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
   * always result in the same seed data. Don't share the key along with the data. Otherwise, others could use
   * it to check their guesses at the original values.
   *
   * @defaultValue a random key
   */
  key?: string | undefined;
  /** Stops the pull. */
  signal?: AbortSignal | undefined;
  /** Called after each ticket and document with the number of records read so far. */
  onProgress?: ((records: number) => void) | undefined;
}

/** {@link PullOptions} with defaults applied. */
export type PullSettings = PullOptions & {
  [Name in 'keep' | 'documents' | 'key']: NonNullable<PullOptions[Name]>;
};

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

/** @throws ConfigurationError if the client or an option is invalid */
export function readPullOptions(client: Worktrack, options: PullOptions): PullSettings {
  const fail = (message: string) => new ConfigurationError(`pull: ${message}`);
  checkOptions(clientSchema, { client }, { fail });
  checkOptions(schema, options, { fail });
  const { keep = [], documents = true, key = randomUUID() } = options;
  return { ...options, keep, documents, key };
}
