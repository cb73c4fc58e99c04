import type { Schema } from '../../../src/contract/index.js';
import {
  type CheckDefinition,
  checksOf,
  definitionOf,
  isInteger,
} from '../../../src/contract/zod-internals.js';

/** A payload field, as shown in the documentation. */
export interface PayloadField {
  name: string;
  required: boolean;
  type: string;
  /** For example `at most 180 characters`, or an empty string. */
  limits: string;
}

/** Describes the fields of a body or query schema, including their limits. */
export function payloadFields(schema: Schema<unknown>): PayloadField[] {
  const { shape } = definitionOf(schema);
  const objectLimits = new Map(checksOf(schema).map((check) => [check.path?.[0], limitOf(check)]));
  return Object.entries(shape ?? {}).map(([name, field]) => {
    const { limits, ...rest } = describe(field);
    return { name, ...rest, limits: [limits, objectLimits.get(name)].filter(Boolean).join('; ') };
  });
}

function describe(schema: object): Omit<PayloadField, 'name'> {
  const def = definitionOf(schema);
  const limits = checksOf(schema).map(limitOf).filter(Boolean);
  switch (def.type) {
    case 'optional':
      return { ...describe(inner(def.innerType)), required: false };
    case 'nullable': {
      const field = describe(inner(def.innerType));
      return { ...field, type: `${field.type} or null` };
    }
    case 'pipe':
      return definitionOf(inner(def.in)).type === 'transform'
        ? transformed(describe(inner(def.out)))
        : describe(inner(def.in));
    case 'array': {
      const item = describe(inner(def.element));
      return {
        required: true,
        type: `list of ${item.type}s`,
        limits: [limits.length > 0 && `${range(limits)} items`, item.limits && `each ${item.limits}`]
          .filter(Boolean)
          .join('; '),
      };
    }
    case 'enum':
      return { required: true, type: 'string', limits: `one of ${values(def.entries)}` };
    case 'number':
      return {
        required: true,
        type: isInteger(schema) ? 'integer' : 'number',
        limits: range(limits),
      };
    case 'string':
      return {
        required: true,
        type: 'string',
        limits: limits.map((limit) => (/\d$/.test(limit) ? `${limit} characters` : limit)).join(', '),
      };
    default:
      return { required: true, type: def.type, limits: '' };
  }
}

/** Joins limits. For example, `at least 1` and `at most 200` become `1 to 200`. */
const range = (limits: string[]) => limits.join(', ').replace(/^at least (\S+), at most (\S+)$/, '$1 to $2');

/**
 * Describes a transformed field. The contract transforms only dates and lists of names, and only dates have
 * limits.
 */
const transformed = (output: Omit<PayloadField, 'name'>) => ({
  ...output,
  type: output.limits ? 'date-time (string or `Date`)' : 'string or list of strings',
});

const inner = (schema: object | undefined): object => {
  if (!schema) throw new Error('a wrapper schema has no inner schema');
  return schema;
};

const values = (entries: Record<string, string> = {}) =>
  Object.values(entries)
    .map((value) => `\`${value}\``)
    .join(', ');

function limitOf(def: CheckDefinition): string {
  // Omit this limit, because every integer has it.
  if (def.value === Number.MAX_SAFE_INTEGER) return '';
  const limit = Number(def.maximum ?? def.minimum ?? def.value).toLocaleString('en-US');
  switch (def.check) {
    case 'max_length':
    case 'less_than':
      return `at most ${limit}`;
    case 'min_length':
    case 'greater_than':
      return `at least ${limit}`;
    case 'custom':
      return messageOf(def.error)
        .replace(/^must be /, '')
        .replace(/^or (\w+) is required/, 'specify either this field or `$1`')
        .trim();
    default:
      return '';
  }
}

/** Returns the error message of a custom check. */
function messageOf(error: unknown): string {
  const message = typeof error === 'function' ? error({}) : error;
  return typeof message === 'string' ? message : '';
}
