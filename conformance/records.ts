import { Mismatch, NotCheckable } from './expectations.js';

/** A record, or any other JSON: the kit reads responses as they are. */
export type Json = ReturnType<typeof JSON.parse>;

/**
 * Wraps what a deployment returned, so that reading a field that it doesn't return makes the rule not
 * checkable. The specification leaves open which fields a record has.
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
