import { type ErrorCode, errorCodes, type FieldErrors } from '../../src/contract/index.js';
import { isObject } from '../../src/shared/json.js';
import { defaultWire, type ErrorContent, type ErrorWire } from '../../src/wire/index.js';
import { bodyOf, type ErrorFact, type ErrorFields, valueAt, withoutMark } from './fields.js';

/** Builds the format of error responses from a deployment's fields and codes. */
export function errorFormat(fields: ErrorFields, codes: ErrorCodeNames): ErrorWire {
  const { lists, plain } = splitLists(fields);
  return {
    encode(content, status) {
      const values = describeError(content, status, codes);
      return bodyOf([
        ...plain.map(([path, fact]) => [path, valueFor(values, fact)] as const),
        ...lists.map(({ path, items, isOptional }) => {
          const list = itemsOf(content.errors ?? {}, items);
          return [path, isOptional && list.length === 0 ? undefined : list] as const;
        }),
      ]);
    },
    decode(body) {
      if (!isObject(body)) return {};
      const read = (wanted: ErrorFact) => {
        const found = plain.find(([, fact]) => withoutMark(fact) === wanted);
        return found && valueAt(body, found[0]);
      };
      const [message, code] = [read('message'), read('code')];
      const byField = read('messages_by_field') ?? read('message_by_field');
      const errors = isObject(byField)
        ? defaultWire.error.decode({ errors: byField }).errors
        : readItems(body, lists);
      return {
        ...(typeof message === 'string' && { message }),
        ...(errors && { errors }),
        ...(typeof code === 'string' && { code: codes.toOurs(code) }),
      };
    },
  };
}

/** Translates between the contract's error codes and the deployment's. */
export class ErrorCodeNames {
  readonly #theirs: ReadonlyMap<string, string | null>;
  readonly #ours = new Map<string, string | undefined>();

  /** @param theirs the deployment's codes, keyed by the contract's codes */
  constructor(theirs: ReadonlyMap<string, string | null>) {
    this.#theirs = theirs;
    for (const [ours, theirCode] of theirs) {
      // A code that stands for several of our codes can't be translated back.
      if (theirCode !== null) this.#ours.set(theirCode, this.#ours.has(theirCode) ? undefined : ours);
    }
  }

  /**
   * Returns the deployment's code, or null if the deployment doesn't send one. Codes that weren't observed
   * stay the same.
   */
  toTheirs(code: string): string | null {
    const theirs = this.#theirs.get(code);
    return theirs === undefined ? code : theirs;
  }

  toOurs(code: string): string {
    return this.#ours.get(code) ?? code;
  }
}

interface FieldList {
  path: string;
  /** The path and content of each field of an item. If the items are strings, the path is empty. */
  items: [path: string, fact: string][];
  isOptional: boolean;
}

function splitLists(fields: ErrorFields): { plain: [string, string][]; lists: FieldList[] } {
  const lists = new Map<string, FieldList>();
  const plain: [string, string][] = [];
  for (const [path, fact] of Object.entries(fields)) {
    const [list, rest] = path.split('[]');
    if (list === undefined || rest === undefined) {
      plain.push([path, fact]);
      continue;
    }
    const known = lists.get(list) ?? { path: list, items: [], isOptional: fact.endsWith('?') };
    known.items.push([rest.replace(/^\./, ''), fact]);
    lists.set(list, known);
  }
  return { plain, lists: [...lists.values()] };
}

const valueFor = (values: Record<string, unknown>, fact: string): unknown => {
  const value = values[withoutMark(fact)];
  return value === null && fact.endsWith('?') ? undefined : value;
};

function describeError(
  { message, errors, code }: ErrorContent,
  status: number | undefined,
  codes: ErrorCodeNames,
): Record<string, unknown> {
  const actual = status ?? (code !== undefined && code in errorCodes ? errorCodes[code as ErrorCode] : 500);
  const first = (all: FieldErrors) =>
    Object.fromEntries(Object.entries(all).map(([field, [text = '']]) => [field, text]));
  return {
    message,
    code: code === undefined ? null : codes.toTheirs(code),
    status: actual,
    status_text: String(actual),
    messages_by_field: errors ?? null,
    message_by_field: errors ? first(errors) : null,
    true: true,
    false: false,
    null: null,
  } satisfies Record<Exclude<ErrorFact, 'field_name' | 'field_message'>, unknown>;
}

const itemsOf = (errors: FieldErrors, fields: FieldList['items']): unknown[] =>
  Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) =>
      bodyOf(
        fields.map(([path, fact]) => {
          const name = withoutMark(fact);
          return [
            path,
            name === 'field_name' ? field : name === 'field_message' ? message : undefined,
          ] as const;
        }),
      ),
    ),
  );

function readItems(body: unknown, lists: readonly FieldList[]): FieldErrors | undefined {
  const errors: FieldErrors = Object.create(null);
  for (const { path, items } of lists) {
    const list = valueAt(body, path);
    for (const item of Array.isArray(list) ? list : []) {
      const read = (fact: ErrorFact) => {
        const found = items.find(([, other]) => withoutMark(other) === fact);
        return found && valueAt(item, found[0]);
      };
      const [name, message] = [read('field_name'), read('field_message')];
      if (typeof name !== 'string') continue;
      errors[name] = [...(errors[name] ?? []), ...(typeof message === 'string' ? [message] : [])];
    }
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}
