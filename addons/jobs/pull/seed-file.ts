import { keptKinds, type PullSettings } from './options.js';
import type { Spool } from './spool.js';

/** The records of a seed file. The tickets and documents themselves are in the spool. */
export interface PulledContent {
  /** The organization. */
  header: object;
  projects: readonly { header: object; boards: readonly { header: object; tickets: readonly Spooled[] }[] }[];
  documents: readonly Spooled[];
}

interface Spooled {
  spooled: number;
}

/** Yields a seed file's text in small chunks, with one record per line. */
export async function* seedFile(
  { header, projects, documents }: PulledContent,
  settings: PullSettings,
  spool: Spool,
): AsyncGenerator<string, void, undefined> {
  async function* texts(records: readonly Spooled[]) {
    for (const [index, { spooled }] of records.entries()) {
      settings.signal?.throwIfAborted();
      yield separator(index) + (await spool.read(spooled));
    }
  }
  yield `{\n"about": ${lines(about(settings))},\n"organizations": [\n${open(header)},\n"projects": [`;
  for (const [index, project] of projects.entries()) {
    yield `${separator(index)}${open(project.header)},\n"boards": [`;
    for (const [index, board] of project.boards.entries()) {
      yield `${separator(index)}${open(board.header)},\n"tickets": [`;
      yield* texts(board.tickets);
      yield ']}';
    }
    yield ']}';
  }
  yield '],\n"documents": [';
  yield* texts(documents);
  yield ']}\n]\n}\n';
}

const separator = (index: number) => (index === 0 ? '\n' : ',\n');

/** Formats an object without its closing brace, with one line for each field and each item of a list. */
const open = (object: object): string =>
  `{${Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${JSON.stringify(name)}: ${Array.isArray(value) ? lines(value) : JSON.stringify(value)}`,
    )
    .join(',\n')}`;

const lines = (items: readonly unknown[]): string =>
  items.length === 0 ? '[]' : `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`;

/** Describes the data for anyone who opens the file. */
function about({ projects, keep, renameIds, sample, documents }: PullSettings): string[] {
  const redacted = keptKinds.filter((kind) => !keep.includes(kind));
  return [
    'Pulled from a deployment with "worktrack pull".',
    `Contains ${projects ? 'some' : 'all'} projects${documents ? ' and their documents' : ', without documents'}.`,
    ...(sample === undefined ? [] : [`Sample: at most ${sample} tickets and ${sample} documents.`]),
    "Missing, because the API doesn't return them: comments, notifications, tokens, deleted records, the history of changes, and users who aren't members of a project.",
    `Redacted: ${[...redacted, ...(renameIds ? ['IDs', 'project keys'] : [])].join(', ') || 'nothing'}.`,
    `Not redacted: ${[...keep, ...(renameIds ? [] : ['IDs', 'project keys']), 'colors', 'numbers'].join(', ')}.`,
    'Credentials have made-up tokens.',
  ];
}
