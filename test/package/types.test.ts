import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { root } from '../../scripts/entries.js';
import { typeCost } from '../../scripts/support/type-cost.js';
import { project } from './support/project.js';

const consumer = `
  import { type Ticket, UnprocessableError, Worktrack } from 'worktrack';
  import { type Scope, operations } from 'worktrack/contract';
  import { createMockServer } from 'worktrack/mock-server';

  export async function main(): Promise<Ticket[]> {
    const mock = createMockServer();
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
    const scope: Scope = operations['tickets.move'].scope;
    try {
      // @ts-expect-error: unknown field
      await client.boards.create(scope, { name: 'To do', colour: 'red' });
    } catch (error) {
      if (error instanceof UnprocessableError) console.log(error.fieldErrors);
    }
    return await client.tickets.list('p').toArray({ limit: 5 });
  }
`;

const compilers = {
  'TypeScript 5.9': join(root, 'node_modules/typescript/bin/tsc'),
  // This compiler is used by default, because it's several times faster.
  'TypeScript 7': join(root, 'node_modules/typescript-7/bin/tsc'),
};

const resolutions: {
  title: string;
  compiler?: keyof typeof compilers;
  file: string;
  module: string;
  moduleResolution: string;
  skipLibCheck?: boolean;
}[] = [
  { title: 'node16, ES module', file: 'main.mts', module: 'node16', moduleResolution: 'node16' },
  { title: 'node16, CommonJS', file: 'main.cts', module: 'node16', moduleResolution: 'node16' },
  // Only this project also checks the package's declarations and the libraries that they import, because that
  // check is slow.
  {
    title: 'nodenext, ES module, including libraries',
    file: 'main.mts',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    skipLibCheck: false,
  },
  {
    title: 'nodenext, CommonJS',
    compiler: 'TypeScript 5.9',
    file: 'main.cts',
    module: 'nodenext',
    moduleResolution: 'nodenext',
  },
  { title: 'bundler', file: 'main.ts', module: 'esnext', moduleResolution: 'bundler' },
  // node10 ignores `exports` and finds the types through `typesVersions`. TypeScript 7 no longer supports it.
  {
    title: 'node10, CommonJS',
    compiler: 'TypeScript 5.9',
    file: 'main.ts',
    module: 'commonjs',
    moduleResolution: 'node10',
  },
];

test.each(resolutions)('a strict TypeScript project compiles against the package: $title', (options) => {
  const { compiler = 'TypeScript 7', file, module, moduleResolution, skipLibCheck = true } = options;
  const { run } = project({
    [file]: consumer,
    'tsconfig.json': {
      compilerOptions: {
        target: 'es2022',
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck,
        types: ['node'],
      },
    },
  });
  expect(run(compilers[compiler])).toEqual({ status: 0, output: '' });
});

test("the client's types don't need the DOM library", () => {
  const { run } = project({
    'main.mts': `
      import { Worktrack } from 'worktrack';

      new Worktrack({ headers: { 'x-trace': '1' } });
      // @ts-expect-error: the headers have the wrong type
      new Worktrack({ headers: 5 });
    `,
    'tsconfig.json': {
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022'],
        module: 'nodenext',
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: ['node'],
      },
    },
  });
  expect(run(compilers['TypeScript 7'])).toEqual({ status: 0, output: '' });
});

test('a ten-line program causes at most 150 type instantiations', () => {
  const { instantiations } = typeCost(inject('home'));
  expect(instantiations).toBeGreaterThan(0);
  expect(instantiations).toBeLessThanOrEqual(150);
});
