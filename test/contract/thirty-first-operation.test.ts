import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (path: string) => `${root}${path}`;
const contract = at('src/contract/operations/organization.ts');

/** A row that nothing implements, put into the contract's table. */
const extraRow = `'organization.audit.get': operation({
    number: 31,
    method: 'GET',
    path: '/organizations/{organization}/audit',
    scope: 'organization:read',
    status: 200,
    response: organization,
  }),`;

describe('a thirty-first operation in the contract', () => {
  const compile = compiler();

  test('does not compile until it has a rule, a method, a summary, and a row in the tests', () => {
    expect(compile((source) => source)).toEqual([]);
    const messages = compile((source) => {
      const patched = source.replace(/(\(\(\) => \(\{\n)/, `$1  ${extraRow}\n`);
      expect(patched).not.toBe(source);
      return patched;
    });
    const blamed = (path: string) => messages.filter((message) => message.startsWith(path)).join('\n');
    expect(blamed('mock-server/rules/')).toMatch(/organization\.audit\.get/);
    expect(blamed('src/client.ts')).toMatch(/Property 'audit' is missing/);
    expect(blamed('src/contract/operations/summaries.ts')).toMatch(/organization\.audit\.get/);
    expect(blamed('test/rules/client-calls.ts')).toMatch(/organization\.audit\.get/);
    expect(blamed('test/rules/requests.ts')).toMatch(/organization\.audit\.get/);
    expect(blamed('test/contract/endpoints.ts')).toMatch(/organization\.audit\.get/);
  }, 60_000);
});

/** Type-checks the client, the server's rules and the test tables, with the contract's source patched. */
function compiler(): (patch: (source: string) => string) => string[] {
  const { config } = ts.readConfigFile(at('tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = [
    'src/client.ts',
    'mock-server/rules/index.ts',
    'test/rules/client-calls.ts',
    'test/rules/requests.ts',
    'test/contract/endpoints.ts',
  ].map(at);
  let previous: ts.Program | undefined;
  return (patch) => {
    const host = ts.createCompilerHost(options, true);
    const { readFile, getSourceFile } = host;
    host.readFile = (path) => {
      const source = readFile(path);
      return path === contract && source !== undefined ? patch(source) : source;
    };
    // The library's and the unchanged files are parsed once for both runs.
    host.getSourceFile = (path, ...rest) =>
      (path !== contract && previous?.getSourceFile(path)) || getSourceFile.call(host, path, ...rest);
    const program = ts.createProgram(files, options, host, previous);
    previous = program;
    return ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) =>
          `${file?.fileName.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
  };
}
