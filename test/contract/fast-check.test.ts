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

it.each<[string, object]>([
  ['a number instead of a string', { title: 1 }],
  ['a string instead of a number', { number: '1' }],
  ['NaN', { number: Number.NaN }],
  ['a string instead of a boolean', { done: 'no' }],
  ['a number in a nullable field', { due: 1 }],
  ['undefined in a nullable field', { due: undefined }],
  ['a list instead of an object', { owner: [] }],
  ['null instead of an object', { owner: null }],
  ['a string instead of an object', { owner: 'usr_1' }],
  ['an incomplete object', { owner: {} }],
  ['an object instead of a list', { labels: {} }],
  ['an invalid first item', { labels: [{}, { id: 'a' }] }],
  ['an invalid last item', { labels: [{ id: 'a' }, {}] }],
  ['an unknown field', { color: 'red' }],
  ['a list with toJSON', { labels: Object.assign([], { toJSON: () => 1 }) }],
])('the fast check defers to zod for a record with %s', (_, fields) => {
  expect(passes(schema, { ...valid, ...fields })).toBe(false);
});

it.each<[string, unknown]>([
  ['null', null],
  ['undefined', undefined],
  ['a string', 'x'],
  ['a list', []],
  ['an instance of a class', Object.assign(new (class Ticket {})(), valid)],
  ['an object with toJSON', { ...valid, toJSON: () => 1 }],
  [
    "an object with a field that isn't enumerable",
    Object.defineProperty({ ...valid, x: 1 }, 'title', { enumerable: false }),
  ],
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
