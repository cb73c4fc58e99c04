import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../src/shared/json.js';

/** The possible contents of an envelope field around a record or an unpaginated list. */
export const recordFacts = ['record', 'true', 'false', 'null'] as const;

export type RecordFact = (typeof recordFacts)[number];

/** The possible contents of a field in a page. */
const pageFacts = [
  'items',
  'current_page',
  'page_index',
  'per_page',
  'last_page',
  'total',
  'from',
  'to',
  'offset',
  'count',
  'has_more',
  'has_previous',
  'next_page',
  'previous_page',
  'next_url',
  'previous_url',
  'first_url',
  'last_url',
  'page_url',
  'path',
  'page_links',
  'next_cursor',
  'previous_cursor',
  'true',
  'false',
  'null',
] as const;

export type PageFact = (typeof pageFacts)[number];

/** The possible contents of a field in an error response. */
const errorFacts = [
  'message',
  'code',
  'status',
  'status_text',
  /** An object with a list of messages for each invalid field. */
  'messages_by_field',
  /** An object with one message for each invalid field. */
  'message_by_field',
  /** The two parts of an entry in a list of invalid fields: the field's name and its message. */
  'field_name',
  'field_message',
  'true',
  'false',
  'null',
] as const;

export type ErrorFact = (typeof errorFacts)[number];

/** A `?` means that a field without a value is omitted instead of being null. */
type Optional<Fact extends string> = Fact | `${Fact}?`;

/** A field whose content the calibration doesn't recognize. The mock server omits it. */
export const unrecognized = 'unrecognized';

/**
 * The content of each field in the envelope around a record, keyed by path. An empty path refers to the body
 * itself.
 */
export type RecordFields = Readonly<Record<string, Optional<RecordFact> | typeof unrecognized>>;

/** The content of each field in a page, keyed by path. In a path, dots separate names. */
export type PageFields = Readonly<Record<string, Optional<PageFact> | typeof unrecognized>>;

/**
 * The content of each field in an error response, keyed by path. In a path, `[]` follows the name of a list.
 */
export type ErrorFields = Readonly<Record<string, Optional<ErrorFact> | typeof unrecognized>>;

const schemaOf = <Fact extends string>(facts: readonly Fact[]) =>
  z.record(
    z.string(),
    z.enum([...facts, ...facts.map((fact) => `${fact}?` as const), unrecognized] as [
      Optional<Fact> | typeof unrecognized,
    ]),
  );

export const recordFields = {
  schema: schemaOf(recordFacts),
  mockValue: { data: 'record' } satisfies RecordFields as RecordFields,
};

export const pageFields = {
  schema: schemaOf(pageFacts),
  mockValue: {
    'data.current_page': 'current_page',
    'data.data': 'items',
    'data.first_page_url': 'first_url',
    'data.from': 'from',
    'data.last_page': 'last_page',
    'data.last_page_url': 'last_url',
    'data.links': 'page_links',
    'data.next_page_url': 'next_url',
    'data.path': 'path',
    'data.per_page': 'per_page',
    'data.prev_page_url': 'previous_url',
    'data.to': 'to',
    'data.total': 'total',
  } satisfies PageFields as PageFields,
};

export const errorFields = {
  schema: schemaOf(errorFacts),
  mockValue: {
    code: 'code',
    errors: 'messages_by_field?',
    message: 'message',
  } satisfies ErrorFields as ErrorFields,
};

export const withoutMark = (fact: string): string => fact.replace(/\?$/, '');

/** Returns the path to the field with this content. */
export const pathOf = <Fact extends string>(
  fields: Readonly<Record<string, string>>,
  fact: Fact,
): string | undefined => Object.keys(fields).find((path) => withoutMark(fields[path] ?? '') === fact);

/** Returns the value at a path, or undefined if there is none. An empty path returns the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  let current = value;
  for (const name of path.split('.')) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** Builds a body from values and their paths. Omits undefined values. */
export function bodyOf(values: Iterable<readonly [path: string, value: unknown]>): unknown {
  const root: JsonObject = {};
  for (const [path, value] of values) {
    if (value === undefined) continue;
    if (path === '') return value;
    const names = path.split('.');
    const last = names.pop() as string;
    let parent = root;
    for (const name of names) {
      if (!Object.hasOwn(parent, name)) setOwn(parent, name, {});
      parent = parent[name] as JsonObject;
    }
    setOwn(parent, last, value);
  }
  return root;
}

/** Unlike an assignment, `defineProperty` also sets a field named `__proto__`. */
export const setOwn = (object: JsonObject, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
};
