import { Mismatch, NotCheckable } from './expectations.js';

/** A record, or any other JSON value, because responses aren't validated. */
export type Json = ReturnType<typeof JSON.parse>;

/**
 * Wraps a response so that a rule becomes not checkable if it reads a missing field. The specification
 * doesn't list the fields of records.
 *
 * @param source the request, for the message
 */
export function guardFields(value: Json, source: string): Json {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name, receiver) {
      const inherited = typeof name === 'symbol' || name === 'toJSON' || name === 'then';
      if (!inherited && !(name in target)) {
        if (name in Array.prototype) throw new Mismatch(`${source}: expected a list`);
        throw new NotCheckable(`${source} returns no "${name}"`);
      }
      return guardFields(Reflect.get(target, name, receiver), source);
    },
  });
}
