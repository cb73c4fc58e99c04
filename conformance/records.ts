import { Mismatch, NotCheckable } from './expectations.js';

/** A value from a response; it can have any type because responses aren't validated. */
export type Json = ReturnType<typeof JSON.parse>;

/**
 * Wraps a response so that rules that read a missing field are reported as not checkable. The specification
 * doesn't define response fields.
 *
 * @param source the request, for error messages
 */
export function guardFields(value: Json, source: string): Json {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name, receiver) {
      const inherited = typeof name === 'symbol' || name === 'toJSON' || name === 'then';
      if (!inherited && !(name in target)) {
        if (name in Array.prototype) throw new Mismatch(`${source}: expected a list`);
        throw new NotCheckable(`${source} doesn't return "${name}"`);
      }
      return guardFields(Reflect.get(target, name, receiver), source);
    },
  });
}
