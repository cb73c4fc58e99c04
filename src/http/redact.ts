/** Takes a credential out of anything that will be seen: text, JSON, headers, errors with their causes. */
export type Redact = <Value>(value: Value) => Value;

/** @param secrets the credentials of a call, a live set: those of later attempts count too */
export function redactor(secrets: ReadonlySet<string>): Redact {
  const clean = (text: string) => {
    let cleaned = text;
    // Of three letters or fewer nothing is secret, and every word would be torn.
    for (const secret of secrets) {
      if (secret.length > 3) {
        for (const form of new Set([secret, encodeURIComponent(secret)])) {
          cleaned = cleaned.replaceAll(form, '[redacted]');
        }
      }
    }
    return cleaned;
  };
  return <Value>(value: Value) => walk(value, clean, []) as Value;
}

/** No error and no record is so deep; a hostile answer can be, and would overflow the stack. */
const deepest = 32;

/** @returns the value itself where nothing in it had to go */
function walk(value: unknown, clean: (text: string) => string, above: readonly unknown[]): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (above.length > deepest || above.includes(value)) return undefined;
  const inside = (item: unknown) => walk(item, clean, [...above, value]);
  if (value instanceof Headers) {
    return new Headers([...value].map(([name, text]): [string, string] => [name, clean(text)]));
  }
  if (Array.isArray(value)) {
    const items = value.map(inside);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  // An object of another class can hide a credential where no walk finds it, and printing shows it.
  const known = value instanceof Error || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return known ? walkProperties(value as Properties, clean, inside) : undefined;
}

type Properties = Record<PropertyKey, unknown>;

function walkProperties(
  value: Properties | (Error & Properties),
  clean: (text: string) => string,
  inside: (item: unknown) => unknown,
): object {
  const hidden = value instanceof Error ? ['name', 'message', 'stack', 'cause'] : [];
  const copy: Properties = value instanceof Error ? (new Error() as Error & Properties) : {};
  let changed = false;
  for (const key of new Set<PropertyKey>([...hidden, ...Reflect.ownKeys(value)])) {
    const name = typeof key === 'string' ? clean(key) : key;
    const item = inside(value[key]);
    changed ||= name !== key || item !== value[key];
    const enumerable = !hidden.includes(key as string);
    Object.defineProperty(copy, name, { value: item, enumerable, configurable: true, writable: true });
  }
  return changed ? copy : value;
}
