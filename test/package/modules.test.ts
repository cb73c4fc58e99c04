import { expect, test } from 'vitest';
import { entries } from '../../tools/entries.js';
import { project } from './support/project.js';

// The modules for Vitest, Jest, and Playwright work only in that test runner.
const importable = [...entries.keys()].filter((name) => !/testing\/(vitest|jest|playwright)$/.test(name));
const withoutPeers = importable.filter((name) => !/\/(opentelemetry|bullmq)$/.test(name));

const day = `
  const mock = createMockServer();
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
  const full = await client.projects.create({ name: 'x'.repeat(181), key: 'APO' }).catch((error) => error);
  console.log(project.name, full instanceof InvalidRequestError, operations['tickets.move'].scope, scopes.length);
`;
const printed = { status: 0, output: 'Apollo true tickets:write 13\n' };

test('an ES module can import every entry point', () => {
  const { run } = project({
    'main.mjs': `
      import { InvalidRequestError, Worktrack } from 'worktrack';
      import { operations, scopes } from 'worktrack/contract';
      import { createMockServer } from 'worktrack/mock-server';
      for (const name of ${JSON.stringify(importable)}) await import(name);
      ${day}`,
  });
  expect(run('main.mjs')).toEqual(printed);
});

test('a CommonJS module can require every entry point without warnings', () => {
  const { run } = project({
    'main.cjs': `
      const { InvalidRequestError, Worktrack } = require('worktrack');
      const { operations, scopes } = require('worktrack/contract');
      const { createMockServer } = require('worktrack/mock-server');
      for (const name of ${JSON.stringify(importable)}) require(name);
      (async () => {${day}})();`,
  });
  expect(run('main.cjs')).toEqual(printed);
});

test('an optional peer dependency is loaded only by the entry points that need it', () => {
  const { run } = project({
    'main.mjs': `
      import { register } from 'node:module';
      const hook = 'export const resolve = (name, context, next) => { if (/^(msw|@opentelemetry|bullmq|ioredis|pg|vitest|@jest|@playwright)\\\\b/.test(name)) throw new Error("loads " + name); return next(name, context); }';
      register('data:text/javascript,' + encodeURIComponent(hook));
      for (const name of ${JSON.stringify(withoutPeers)}) await import(name);
      console.log(await import('msw').catch((error) => error.message));`,
  });
  expect(run('main.mjs')).toEqual({ status: 0, output: 'loads msw\n' });
});

test('the packaged CLI has a command for every operation, with its options and limits', () => {
  const { tool } = project({});
  const { status, output } = tool('worktrack/dist/cli.js', 'tickets', 'create', '--help');
  expect(status, output).toBe(0);
  expect(output).toMatch(/--title <string> +At most 500 characters/);
  expect(tool('worktrack/dist/cli.js', 'completion', '--words', 'tickets', 'mo')).toEqual({
    status: 0,
    output: 'move\n',
  });
});

test('worktrack/jobs works without BullMQ, and worktrack/jobs/bullmq requires it', () => {
  const { run } = project({
    'main.mjs': `
      import { register } from 'node:module';
      const hook = 'export const resolve = (name, context, next) => { if (/^bullmq$/.test(name)) throw new Error("Cannot find package bullmq"); return next(name, context); }';
      register('data:text/javascript,' + encodeURIComponent(hook));
      const { memoryBook } = await import('worktrack/jobs');
      console.log(typeof memoryBook, await import('worktrack/jobs/bullmq').catch((error) => error.message));`,
  });
  expect(run('main.mjs')).toEqual({ status: 0, output: 'function Cannot find package bullmq\n' });
});
