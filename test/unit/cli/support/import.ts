import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worktrack } from 'worktrack';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { type CommandLineOptions, commandLine } from './run.js';

/** Writes a file, and returns a mock server with a project into which `run` imports the file. */
export async function setUpImport(
  name: string,
  content: string | Uint8Array,
  options: CommandLineOptions = {},
) {
  const folder = await temporaryFolder();
  const file = join(folder, name);
  await writeFile(file, content);
  const { mock, run } = commandLine(options);
  const user = mock.add.user({ name: 'Ada', email: 'ada@acme.example', role: 'owner' });
  const project = mock.add.project();
  const boards = ['To do', 'In progress'].map((board) =>
    mock.add.board({ project: project.id, name: board }),
  );
  const labels = ['bug', 'crew'].map((label) => mock.add.label({ project: project.id, name: label }));
  const linesOf = async (path: string) =>
    (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return {
    mock,
    folder,
    file,
    project,
    user,
    boards,
    labels,
    titles: () => mock.state.tickets.all().map(({ title }) => title),
    failed: () => linesOf(`${file}.failed.ndjson`),
    problems: () => linesOf(`${file}.dry-run.ndjson`),
    runWords: run,
    client: new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch, logLevel: 'off' }),
    run: (...args: string[]) => run('import', file, ...withDefaults(project.id, args)),
    runFile: (path: string, ...args: string[]) => run('import', path, ...withDefaults(project.id, args)),
  };
}

/** Adds the required options. By default, the column with the title is the key. */
function withDefaults(project: string, args: readonly string[]): string[] {
  const [, column = 'title'] = args.find((arg) => arg.startsWith('title='))?.split('=') ?? [];
  const key = args.includes('--key') ? [] : ['--key', column];
  return ['--project', project, '--source', 'Jira', ...key, ...args];
}
