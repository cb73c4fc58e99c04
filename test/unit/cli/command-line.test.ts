import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { operationIds, operationOf } from 'worktrack/contract';
import { processEnvironment } from '../../../addons/cli/context.js';
import { root } from '../../../tools/entries.js';
import { rejected, runWords, wordsOf } from './support/run.js';

test.each([
  ['constructor', ': unknown command "constructor"; see "worktrack --help"'],
  ['mock-server', ': unknown command "mock-server"; did you mean "mock"?'],
  ['mokc', ': unknown command "mokc"; did you mean "mock"?'],
  ['mocp', ': unknown command "mocp"; did you mean "mcp" or "mock"?'],
  ['projects.fly', ' projects: unknown command "fly"; see "worktrack projects --help"'],
  ['projcets list', ': unknown command "projcets"; did you mean "projects"?'],
  ['tickets lst', ' tickets: unknown command "lst"; did you mean "list"?'],
  ['tickets.lst', ' tickets: unknown command "lst"; did you mean "list"?'],
  ['tickets comments creat tkt_1', ' tickets comments: unknown command "creat"; did you mean "create"?'],
  ['help mokc', ': unknown command "mokc"; did you mean "mock"?'],
  ['help tickets moev', ' tickets: unknown command "moev"; did you mean "move"?'],
  ['tickets moev --help', ' tickets: unknown command "moev"; did you mean "move"?'],
  ['mokc -h', ': unknown command "mokc"; did you mean "mock"?'],
])(
  'worktrack rejects the unknown command in "%s" with a one-line error and exit code 2',
  async (line, errors) => {
    expect(await runWords(line.split(' '))).toEqual(rejected(`worktrack${errors}`));
  },
);

test('worktrack lists its commands when called without arguments or with --help, -h, or help', async () => {
  const help = await runWords([]);
  expect(help).toMatchObject({ code: 0, errors: '' });
  expect(help.output).toMatch(/^Usage: worktrack <command> \[options\]/);
  for (const name of ['tickets', 'notifications', 'mock', 'conformance', 'completion']) {
    expect(help.output).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'));
  }
  for (const words of [['--help'], ['-h'], ['help'], ['help', '--help']]) {
    expect(await runWords(words)).toEqual(help);
  }
});

test('worktrack --version prints the package version', async () => {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  for (const word of ['--version', '-v']) {
    expect(await runWords([word])).toEqual({ code: 0, output: version, errors: '' });
  }
});

test('worktrack help <command> prints the same text as worktrack <command> --help', async () => {
  for (const words of [['tickets'], ['tickets', 'move'], ['tickets.move'], ['mock'], ['completion']]) {
    const help = await runWords(['help', ...words]);
    expect(help.code).toBe(0);
    expect(help).toEqual(await runWords([...words, '--help']));
  }
});

test('if no operation is given, worktrack tickets prints its help to standard error and exits with code 2', async () => {
  const { output } = await runWords(['tickets', '--help']);
  expect(output).toMatch(/^ {2}comments create <ticket> +Comment/m);
  expect(await runWords(['tickets'])).toEqual({ code: 2, output: '', errors: output });
});

test('worktrack tickets create --help wraps text to the width of the terminal', async () => {
  for (const width of [60, 100]) {
    const { output } = await runWords(['tickets', 'create', '--help'], { terminal: true, width });
    const fields = output.slice(output.indexOf('Fields:'), output.indexOf('Required scope'));
    expect(Math.max(...fields.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
  }
});

test.each(operationIds)('worktrack %s --help shows the required scope and a valid example', async (id) => {
  const { output } = await runWords([...id.split('.'), '--help']);
  expect(output).toContain(operationOf(id).scope);
  const [, example = ''] = /^Example:\n {2}worktrack (.*)$/m.exec(output) ?? [];
  const words = wordsOf(example);
  expect(words.slice(0, id.split('.').length)).toEqual(id.split('.'));
  const sent: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    sent.push(String(url));
    return new Response('{}', { status: 404 });
  };
  const env = { WORKTRACK_BASE_URL: 'https://work.example.com', WORKTRACK_ORGANIZATION: 'org_acme' };
  const result = await runWords(words, { env, client: { token: 'wt', fetch } });
  expect(result, result.errors).toMatchObject({ code: 4 });
  expect(sent).toHaveLength(1);
});

/** Replaces this process's standard output until the end of the test. */
function replaceOutput(properties: { isTTY?: boolean; columns?: number }) {
  const output = Object.assign(new EventEmitter(), { ...properties, write: vi.fn() });
  const spies = [
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(output as never),
    vi.spyOn(process, 'stderr', 'get').mockReturnValue(new EventEmitter() as never),
  ];
  const error = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    for (const spy of [...spies, error]) spy.mockRestore();
  });
  return { output, error };
}

test('the CLI fits its output to the width of the terminal', () => {
  replaceOutput({ isTTY: true, columns: 72 });
  expect(processEnvironment()).toMatchObject({ isTerminal: true, width: 72, env: process.env });
});

test("the CLI doesn't limit the width of its output if the output is piped", () => {
  const { output, error } = replaceOutput({});
  const { isTerminal, width, print, printError } = processEnvironment();
  expect([isTerminal, width]).toEqual([false, Number.POSITIVE_INFINITY]);
  print('result');
  printError('problem');
  expect(output.write).toHaveBeenCalledExactlyOnceWith('result\n', expect.any(Function));
  expect(error.mock.calls).toEqual([['problem']]);
});

test('the CLI keeps running if the reader closes the pipe, but exits with code 1 if a write fails', () => {
  const { output, error } = replaceOutput({});
  const onExit: (() => void)[] = [];
  const once = vi.spyOn(process, 'once').mockImplementation((_event, listener) => {
    onExit.push(listener as () => void);
    return process;
  });
  onTestFinished(() => once.mockRestore());
  processEnvironment();
  const fail = (code: string) => output.emit('error', Object.assign(new Error(`write ${code}`), { code }));
  fail('EPIPE');
  expect([error.mock.calls, onExit]).toEqual([[], []]);
  fail('ENOSPC');
  fail('ENOSPC');
  expect(error.mock.calls).toEqual([['worktrack: could not write the output: write ENOSPC']]);

  const exitCodes = [undefined, 0, 3].map((code) => {
    process.exitCode = code;
    for (const listener of onExit) listener();
    return process.exitCode;
  });
  process.exitCode = undefined;
  expect(exitCodes).toEqual([1, 1, 3]);
});
