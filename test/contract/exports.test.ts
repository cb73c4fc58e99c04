import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as contract from 'worktrack/contract';
import { definitionOf } from '../../src/contract/zod-internals.js';

const { operationIds, operationOf } = contract;

const read = (name: string) => readFileSync(new URL(`../../src/contract/${name}`, import.meta.url), 'utf8');

describe('types.ts', () => {
  const list = read('types.ts');
  const files = [...list.matchAll(/from '\.\/(\w+)\.js'/g)].map(([, name]) => `${name}.ts`);
  const exported = new Set(list.match(/\b[A-Z]\w+/g));
  /** Building blocks of other types. Only the package itself uses these types. */
  const internal = ['DocumentContent', 'Fields', 'SentDocumentsQuery', 'TicketContent', 'Wired'];

  test.each(files)('exports every record and payload type of %s', (file) => {
    const declared = [...read(file).matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    const missing = declared.filter((name = '') => !exported.has(name) && !internal.includes(name));
    expect(missing).toEqual([]);
  });

  test('lists every file that defines operations', () => {
    const imported = [...read('operations.ts').matchAll(/from '\.\/(\w+)\.js'/g)].map(
      ([, name]) => `${name}.ts`,
    );
    const rows = imported.filter((file) => read(file).includes(': operation({'));
    expect(rows.length).toBeGreaterThan(0);
    expect(files).toEqual(expect.arrayContaining(rows));
  });
});

describe('worktrack/contract', () => {
  const exported: ReadonlySet<unknown> = new Set(Object.values(contract));

  test.each(operationIds)('exports the schemas for %s', (id) => {
    const { body, query, response } = operationOf(id);
    const record = response && (definitionOf(response).element ?? response);
    const missing = Object.entries({ body, query, response: record })
      .filter(([, schema]) => schema && !exported.has(schema))
      .map(([part]) => part);
    expect(missing).toEqual([]);
  });
});
