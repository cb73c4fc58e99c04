import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { root } from '../../tools/entries.js';
import { typeCost } from '../../tools/support/type-cost.js';
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

const strict = { target: 'es2022', strict: true, noEmit: true, types: ['node'] };

test.each<[module: string, file: string, compiler?: keyof typeof compilers, more?: object]>([
  ['node16', 'main.mts'],
  // node16 doesn't support `require` of ES modules.
  // Only this project also checks the package's declarations and the libraries that they import, because that
  // check is slow.
  ['nodenext', 'main.mts', 'TypeScript 7', { skipLibCheck: false }],
  ['nodenext', 'main.cts', 'TypeScript 5.9'],
  ['esnext', 'main.ts', 'TypeScript 7', { moduleResolution: 'bundler' }],
])(
  'a strict %s project compiles against the package: %s',
  (module, file, compiler = 'TypeScript 7', more = {}) => {
    const compilerOptions = {
      ...strict,
      module,
      moduleResolution: module,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      ...more,
    };
    const { run } = project({ [file]: consumer, 'tsconfig.json': { compilerOptions } });
    expect(run(compilers[compiler])).toEqual({ status: 0, output: '' });
  },
);

test("the client's types don't need the DOM library", () => {
  const { run } = project({
    'main.mts': `
      import { Worktrack } from 'worktrack';

      new Worktrack({ headers: { 'x-trace': '1' } });
      // @ts-expect-error: the headers have the wrong type
      new Worktrack({ headers: 5 });
    `,
    'tsconfig.json': {
      compilerOptions: { ...strict, lib: ['es2022'], module: 'nodenext', skipLibCheck: false },
    },
  });
  expect(run(compilers['TypeScript 7'])).toEqual({ status: 0, output: '' });
});

test('a ten-line program causes at most 150 type instantiations', () => {
  const { instantiations } = typeCost(inject('home'));
  expect(instantiations).toBeGreaterThan(0);
  expect(instantiations).toBeLessThanOrEqual(150);
});
