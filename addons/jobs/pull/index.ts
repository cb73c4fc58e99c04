import type { Worktrack } from '../../../src/client.js';
import { ConfigurationError } from '../../../src/errors/index.js';
import { realPathOf, replaceFile, specialFileAt } from '../../../src/shared/files.js';
import { type PullOptions, readOptions } from './options.js';
import { Pull, type PullReport } from './pull.js';
import { FileSpool, memorySpool } from './spool.js';
import type { PulledWorld } from './world.js';

export { type KeptKind, keptKinds, type PullOptions, type PullProgress } from './options.js';
export type { PullReport } from './pull.js';
export type * from './world.js';

/**
 * Reads projects from a deployment and returns them as seed data for the mock server. By default, redacts
 * names, text, email addresses, and dates.
 *
 * Reads every record, even if the data changes during the pull. Sends only GET requests. Requires the
 * `organization:read`, `projects:read`, `boards:read`, `tickets:read`, and `documents:read` scopes.
 *
 * All data is kept in memory. For large deployments, use {@link pullWorldToFile}.
 *
 * @throws {@link ConfigurationError} if an option is invalid
 * @throws Error if a project in `projects` is unknown, or if its name is ambiguous
 * @throws {@link PermissionDeniedError} if the credential lacks a scope
 * @throws {@link IncompleteListError} if a list changes too fast to be read completely
 *
 * @example
 * ```ts
 * const world = await pullWorld(client, { projects: ['APO'], sample: 100 });
 * const mock = createMockServer({ world });
 * ```
 */
export async function pullWorld(client: Worktrack, options: PullOptions = {}): Promise<PulledWorld> {
  const pull = new Pull(client, readOptions('pullWorld', client, options), memorySpool());
  const parts: string[] = [];
  for await (const part of await pull.read()) parts.push(part);
  return JSON.parse(parts.join('')) as PulledWorld;
}

/**
 * Like {@link pullWorld}, but writes the seed data to a file. Even for a large deployment, it needs little
 * memory, because it buffers tickets and documents in a temporary file.
 *
 * An existing file is replaced only when the new file is complete. Only its owner can read it. If the path is
 * a symbolic link, the link's target is replaced.
 *
 * @throws the same errors as {@link pullWorld}, and a system error if the file can't be written
 *
 * @example
 * ```ts
 * const { tickets } = await pullWorldToFile(client, 'world.json', { key: process.env.PULL_KEY });
 * ```
 */
export async function pullWorldToFile(
  client: Worktrack,
  path: string,
  options: PullOptions = {},
): Promise<PullReport> {
  const settings = readOptions('pullWorldToFile', client, options);
  if (path === '') throw new ConfigurationError('pullWorldToFile: the path is empty');
  const special = await specialFileAt(path);
  if (special)
    throw new ConfigurationError(`pullWorldToFile: ${path} is ${special}; pass the path to a regular file`);
  const file = await realPathOf(path);
  const spool = await FileSpool.open(file);
  try {
    const pull = new Pull(client, settings, spool);
    await replaceFile(file, await pull.read());
    return pull.report;
  } finally {
    await spool.close();
  }
}
