import type { World } from '../../mock-server/index.js';
import { ConfigurationError, type Worktrack } from '../../src/index.js';
import { realPathOf, replaceFile, specialFileAt } from '../../src/node/internal.js';
import { by } from '../shared/lists.js';
import { fileStore, memoryStore, type PulledData, type PulledProject, seedFile } from './pull-file.js';
import { type PullOptions, type PullSettings, readPullOptions } from './pull-options.js';
import { type DeploymentData, readDeployment } from './pull-read.js';
import { keptKinds } from './pull-rules.js';

export type { PullOptions } from './pull-options.js';
export type { KeptKind } from './pull-rules.js';

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
  const settings = readPullOptions(client, options);
  return settings.output === undefined
    ? pullToMemory(client, settings)
    : pullToFile(client, settings, settings.output);
}

async function pullToMemory(client: Worktrack, settings: PullSettings): Promise<World> {
  const store = memoryStore();
  const { data } = takeSample(await readDeployment(client, settings, store), settings);
  const parts: string[] = [];
  for await (const part of seedFile(data, store)) parts.push(part);
  return JSON.parse(parts.join('')) as World;
}

async function pullToFile(client: Worktrack, settings: PullSettings, output: string): Promise<PullReport> {
  const special = await specialFileAt(output);
  if (special)
    throw new ConfigurationError(`pull: output ${output} is ${special}; pass the path to a regular file`);
  const path = await realPathOf(output);
  const store = await fileStore(path);
  try {
    const { data, leftOut } = takeSample(await readDeployment(client, settings, store), settings);
    await replaceFile(path, seedFile(data, store), {
      beforeRename: () => settings.signal?.throwIfAborted(),
    });
    const boards = data.projects.flatMap((project) => project.boards);
    return {
      projects: data.projects.length,
      boards: boards.length,
      tickets: boards.reduce((sum, { tickets }) => sum + tickets.length, 0),
      documents: data.documents.length,
      users: (data.organization.users as unknown[]).length,
      leftOut,
    };
  } finally {
    await store.close();
  }
}

/** Leaves out tickets and documents if there are more than the sample may contain. */
function takeSample(
  { organization, projects, documents, rankOf }: DeploymentData,
  settings: PullSettings,
): { data: PulledData; leftOut: number } {
  const { sample = Infinity } = settings;
  const tickets = projects.flatMap(({ boards }) => boards).flatMap((board) => board.tickets);
  const choose = <Item extends { id: string }>(items: readonly Item[]): ((item: Item) => boolean) => {
    if (items.length <= sample) return () => true;
    const ranked = items.map(({ id }) => ({ id, rank: rankOf(id) })).sort(by(({ rank }) => rank));
    const chosen = new Set(ranked.slice(0, sample).map(({ id }) => id));
    return ({ id }) => chosen.has(id);
  };
  const isChosenTicket = choose(tickets);
  const inSample = ({ seed, boards }: PulledProject): PulledProject => ({
    seed,
    boards: boards.map((board) => ({ ...board, tickets: board.tickets.filter(isChosenTicket) })),
  });
  const chosenDocuments = documents.filter(choose(documents));
  return {
    data: {
      about: describe(settings),
      organization,
      projects: projects.map(inSample),
      documents: chosenDocuments,
    },
    leftOut: Math.max(0, tickets.length - sample) + documents.length - chosenDocuments.length,
  };
}

/** Describes the data for anyone who opens the file. */
function describe({ projects, keep, sample, documents }: PullSettings): string[] {
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
