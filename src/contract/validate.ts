import type * as z from 'zod/mini';
import type { RuleErrorCode } from './error-codes.js';
import type { Schema } from './schemas/fields.js';
import { surelyFits } from './surely-fits.js';

/** What is wrong with a payload, by field; a nested field with dots (`tag_names.3`), the payload itself as `(body)`. */
export type FieldErrors = Record<string, string[]>;

export type Validated<Output> =
  | { ok: true; value: Output }
  | { ok: false; fieldErrors: FieldErrors; code: RuleErrorCode };

/**
 * Checks a payload against its schema and says everything that is wrong with it, in the same
 * words on both sides of the wire.
 *
 * @param whole the name under which a payload that is no object at all is reported
 */
export function validate<Output>(
  schema: Schema<Output, never>,
  payload: unknown,
  whole = wholePayload,
): Validated<Output> {
  if (surelyFits(schema, payload)) return { ok: true, value: payload as Output };
  const result = schema.safeParse(payload, { error: describe });
  if (result.success) return { ok: true, value: result.data };
  const fieldErrors: FieldErrors = Object.create(null);
  const codes = new Set<unknown>();
  for (const issue of result.error.issues) {
    codes.add((issue as { params?: { code?: string } }).params?.code);
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    for (const key of keys) {
      const field = [...issue.path, ...(key === undefined ? [] : [key])].join('.') || whole;
      fieldErrors[field] ??= [];
      fieldErrors[field].push(issue.message);
    }
  }
  const [code] = codes;
  return {
    ok: false,
    fieldErrors: { ...fieldErrors },
    code: codes.size === 1 && code ? (code as RuleErrorCode) : 'validation_failed',
  };
}

/** Stands for a body in which no field is to blame. */
export const wholePayload = '(body)';

const kinds: Record<string, string> = { int: 'an integer', array: 'a list', object: 'an object' };

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${kinds[isInteger(issue) ? 'int' : issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}`;
    case 'too_big':
      return `must ${bound(issue, `at most ${count(issue.maximum)}`)}`;
    case 'too_small':
      return `must ${bound(issue, `at least ${count(issue.minimum)}`)}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    default:
      return undefined;
  }
}

/** Text in place of an integer fails the test for numbers, which says nothing of integers. */
const isInteger = ({ inst }: z.core.$ZodRawIssue) =>
  (inst as z.ZodMiniType | undefined)?._zod.bag?.format === 'safeint';

function bound(issue: z.core.$ZodRawIssue, limit: string): string {
  const { input } = issue;
  if (typeof input === 'string') return `be ${limit} characters (got ${count([...input].length)})`;
  if (Array.isArray(input)) {
    return `have ${limit} ${limit.endsWith(' 1') ? 'item' : 'items'} (got ${count(input.length)})`;
  }
  return `be ${limit} (got ${input})`;
}

const count = (figure: number | bigint | Date) => Number(figure).toLocaleString('en-US');

/** The fields a payload can have: name and kind (`string`, `number`, `array`, …), in order. */
export function fieldsOf(schema: Schema<unknown, never>): ReadonlyMap<string, string> {
  let fields = knownFields.get(schema);
  if (!fields) {
    const { shape } = (schema as unknown as z.ZodMiniObject)._zod.def;
    fields = new Map(Object.entries(shape).map(([name, field]) => [name, kindOf(field)]));
    knownFields.set(schema, fields);
  }
  return fields;
}

const knownFields = new WeakMap<object, ReadonlyMap<string, string>>();

function kindOf(field: z.core.$ZodType): string {
  let { def } = field._zod as { def: { type: string; innerType?: z.core.$ZodType } };
  while (def.innerType) def = def.innerType._zod.def;
  return def.type;
}
