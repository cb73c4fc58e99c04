import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operationIds, operationOf, pageInfoSchema, type Schema, validate } from 'worktrack/contract';
import { type Definition, definitionOf } from '../../src/contract/zod-internals.js';
import { runs, seed } from '../properties/runs.js';

const schemas = operationIds.flatMap((id) => {
  const { response } = operationOf(id);
  return response ? [{ name: id as string, schema: response as Schema<unknown, never> }] : [];
});
schemas.push({ name: 'page info', schema: pageInfoSchema as Schema<unknown, never> });

describe('validate', () => {
  test('accepts the same response values as zod', () => {
    for (const { name, schema } of schemas) {
      let accepted = 0;
      fc.assert(
        fc.property(valueLike(schema), (value) => {
          const { ok } = validate(schema, value);
          expect(ok, name).toBe(schema.safeParse(value).success);
          if (ok) accepted++;
        }),
        { numRuns: runs({ quick: 200, long: 1000 }), seed },
      );
      // The comparison would prove nothing if both sides rejected every value.
      expect(accepted, name).toBeGreaterThan(0);
    }
  }, 60_000);

  test('reports a hole in a sparse array as a missing item', () => {
    const schema = operationOf('projects.labels.list').response as Schema<unknown, never>;
    expect(validate(schema, [])).toMatchObject({ ok: true });
    expect(validate(schema, new Array(1))).toMatchObject({ ok: false, fieldErrors: { 0: ['is required'] } });
  });

  test('returns the error code of a specific rule only if the payload has no other errors', () => {
    const schema = operationOf('notifications.send').body as Schema<unknown, never>;
    const notification = { user_ids: ['usr_1'], title: 'Ready', body: 'v2', url: 'https://elsewhere.test' };
    expect(validate(schema, notification)).toMatchObject({ ok: false, code: 'invalid_url' });
    expect(validate(schema, { ...notification, extra: 1 })).toMatchObject({ code: 'validation_failed' });
    expect(validate(schema, { ...notification, title: 1 })).toMatchObject({
      ok: false,
      code: 'validation_failed',
      fieldErrors: { title: [expect.any(String)], url: [expect.any(String)] },
    });
  });

  test('preserves unknown fields in responses', () => {
    const label = { id: 'lbl_1', name: 'bug', color: null, added_later: { deep: [1] } };
    const schema = operationOf('projects.labels.list').response as Schema<unknown, never>;
    expect(validate(schema, [label])).toEqual({ ok: true, value: [label] });
  });
});

/** Generates values that match or nearly match the schema. */
function valueLike(schema: object): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: validValue(definitionOf(schema)), weight: 40 },
    { arbitrary: unusual, weight: 1 },
  );
}

const unusual = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  0,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  [],
  {},
  [null],
  new Date(0),
  new String('x'),
  () => 'x',
);

function validValue({ type, shape, element, innerType }: Definition): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(shape as object).map(([name, field]) => [name, valueLike(field)])),
      );
    case 'array':
      return fc.array(valueLike(element as object), { maxLength: 3 });
    case 'nullable':
      return fc.option(valueLike(innerType as object));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'string':
      return fc.string();
    default:
      throw new Error(`No value is known for a schema of type ${type}`);
  }
}

describe("validate with a payload that changes how it's serialized", () => {
  const schema = operationOf('boards.reorder').body as Schema<unknown, never>;
  const ids = (changes: object) => Object.assign(['brd_1', 'brd_2'], changes);
  class Ids extends Array<string> {
    toJSON() {
      return 'evil';
    }
  }

  test.each<[string, unknown]>([
    ['a list with a toJSON method', ids({ toJSON: () => 'evil' })],
    ['an instance of an Array subclass with a toJSON method', Ids.of('brd_1', 'brd_2')],
    ['a list with a custom iterator', ids({ *[Symbol.iterator]() {} })],
  ])('never lets %s change the JSON that is sent', (_, board_ids) => {
    const result = validate(schema, { board_ids });
    if (result.ok) expect(JSON.stringify(result.value)).toBe('{"board_ids":["brd_1","brd_2"]}');
    else expect(result.fieldErrors).toHaveProperty('board_ids');
  });

  test("rejects an unknown field if a known field isn't enumerable", () => {
    const payload = Object.defineProperty({ extra: 1 }, 'board_ids', { value: ['brd_1'], enumerable: false });
    expect(validate(schema, payload)).toMatchObject({
      ok: false,
      fieldErrors: { extra: ['unknown field; expected one of: board_ids'] },
    });
  });
});
