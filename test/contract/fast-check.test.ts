import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { passesFastCheck } from '../../src/contract/validate.js';
import { listOf } from '../../src/contract/zod-internals.js';

const passes = (schema: z.ZodMiniType, value: unknown) => passesFastCheck(schema as never, value);

const inner = z.looseObject({ id: z.string() });
const schema = z.strictObject({
  title: z.string(),
  number: z.number(),
  done: z.boolean(),
  due: z.nullable(z.string()),
  owner: inner,
  labels: listOf(inner),
});
const valid = {
  title: 'Fuel',
  number: 1,
  done: false,
  due: '2026-02-01',
  owner: { id: 'usr_1' },
  labels: [{ id: 'a' }, { id: 'b', color: 'red' }],
};

it.each<[string, object]>([
  ['all fields', {}],
  ['null in a nullable field', { due: null }],
  ['an empty list', { labels: [] }],
  ['additional fields in a loose object', { owner: { id: 'usr_1', name: 'Ada' } }],
])('the fast check accepts a record with %s', (_, fields) => {
  expect(passes(schema, { ...valid, ...fields })).toBe(true);
});

// validate.test.ts compares the fast check with zod for random responses, which have only loose objects.
it.each<[string, unknown]>([
  ['an unknown field', { ...valid, color: 'red' }],
  ['a list with toJSON', { ...valid, labels: Object.assign([], { toJSON: () => 1 }) }],
  ['an invalid item', { ...valid, labels: [{ id: 'a' }, {}] }],
  ['toJSON', { ...valid, toJSON: () => 1 }],
  ['a prototype of its own', Object.assign(new (class Ticket {})(), valid)],
  [
    "a field that isn't enumerable",
    Object.defineProperty({ ...valid, x: 1 }, 'title', { enumerable: false }),
  ],
])('the fast check defers to zod for a record with %s', (_, value) => {
  expect(passes(schema, value)).toBe(false);
});

it.each<[string, unknown]>([
  ['null', null],
  ['undefined', undefined],
  ['a string', 'x'],
  ['a list', []],
])('the fast check defers to zod for %s', (_, value) => {
  expect(passes(schema, value)).toBe(false);
});

it('the fast check runs refinements, but it defers to zod for all other checks', () => {
  const even = z.number().check(z.refine((value) => (value as number) % 2 === 0));
  expect([2, 3].map((value) => passes(even, value))).toEqual([true, false]);
  const others = [z.string().check(z.minLength(1)), z.int(), z.enum(['a']), z.object({ a: z.string() })];
  const values = ['a', 1, 'a', { a: 'a' }];
  expect(others.map((other, index) => passes(other, values[index]))).toEqual([false, false, false, false]);
});
