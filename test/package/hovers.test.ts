import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { project } from './support/project.js';

const program = `
import { UnprocessableError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
const mock = createMockServer();
const client = new Worktrack(mock.clientOptions());
const ticket = await client.tickets.create('p', { board_id: 'b', title: 'Launch' });
const moved = client.tickets.move(ticket.id, { board_id: 'b' });
const tickets = client.tickets.list('p', { q: 'launch' });
const page = await tickets;
for await (const item of tickets) item.title;
const members = await client.projects.members.list('p');
const figures = await client.projects.analytics.get('p');
try {} catch (error) { if (error instanceof UnprocessableError) { const rejection = error; rejection.code; } }
`;

/** Returns a function that reads the editor's hover text for the first occurrence of a name. */
function hovers() {
  const { folder } = project({ 'main.mts': program });
  const file = join(folder, 'main.mts');
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath ?? ((path) => path),
  });
  return (name: string) => {
    const info = service.getQuickInfoAtPosition(file, program.indexOf(name) + name.lastIndexOf('.') + 1);
    return {
      type: ts.displayPartsToString(info?.displayParts),
      description: ts.displayPartsToString(info?.documentation),
    };
  };
}

test('editors can show the names of types and the descriptions of methods', () => {
  const hover = hovers();
  const types = {
    'ticket =': 'const ticket: Ticket',
    moved: 'const moved: ApiPromise<Ticket>',
    'tickets =': 'const tickets: PageList<Ticket>',
    page: 'const page: Page<Ticket>',
    item: 'const item: Ticket',
    'members =': 'const members: Member[]',
    figures: 'const figures: Analytics',
    rejection: 'const rejection: UnprocessableError',
    'mock =': 'const mock: MockServer',
    'tickets.create':
      '(method) Tickets.create(project: string, body: NewTicket, options?: CallOptions): ApiPromise<Ticket>',
    'tickets.list':
      '(method) Tickets.list(project: string, query?: ListTicketsQuery, options?: ListOptions): PageList<Ticket>',
  };
  expect(Object.fromEntries(Object.keys(types).map((name) => [name, hover(name).type]))).toEqual(types);
  expect(hover('tickets.create').description).toMatch(
    /^Creates a ticket.*Requires the `tickets:write` scope/,
  );
});
