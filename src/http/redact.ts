/** Takes a credential out of anything that will be seen: text, JSON, headers, errors with their causes. */
export type Redact = <Value>(value: Value) => Value;

/** @param secrets the credentials of a call, a live set: those of later attempts count too */
export function redactor(secrets: ReadonlySet<string>): Redact {
  const clean = (text: string) => {
    let cleaned = text;
    // Of three letters or fewer nothing is secret, and every word would be torn.
    for (const secret of secrets) {
      if (secret.length <= 3) continue;
      cleaned = cleaned.replaceAll(secret, '[redacted]');
      cleaned = cleaned.replaceAll(encodeURIComponent(secret), '[redacted]');
    }
    return cleaned;
  };
  return <Value>(value: Value) =>
    (typeof value === 'string' ? clean(value) : walk(value, { clean, above: [], known: new Map() })) as Value;
}

/** No error and no record is so deep; a hostile answer can be, and would overflow the stack. */
const deepest = 32;

interface Walk {
  clean: (text: string) => string;
  /** What the value lies in. */
  above: readonly unknown[];
  /** What became of values that were met before: many can share one. */
  known: Map<object, unknown>;
}

function walk(value: unknown, { clean, above, known }: Walk): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (above.length > deepest || above.includes(value)) return undefined;
  if (!known.has(value)) {
    const inside = (item: unknown) => walk(item, { clean, above: [...above, value], known });
    known.set(value, walkObject(value, clean, inside));
  }
  return known.get(value);
}

/** @returns the object itself where nothing in it had to go */
function walkObject(
  value: object,
  clean: (text: string) => string,
  inside: (item: unknown) => unknown,
): unknown {
  if (value instanceof Headers) {
    return new Headers([...value].map(([name, text]): [string, string] => [name, clean(text)]));
  }
  if (Array.isArray(value)) {
    const items = value.map(inside);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  // An object of another class can hide a credential where no walk finds it, and printing shows it.
  const plain = value instanceof Error || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (plain) return walkProperties(value as Properties, clean, inside);
  return value instanceof Date ? value : undefined;
}

type Properties = Record<PropertyKey, unknown>;

function walkProperties(
  value: Properties | (Error & Properties),
  clean: (text: string) => string,
  inside: (item: unknown) => unknown,
): object {
  const hidden = value instanceof Error ? ['name', 'message', 'stack', 'cause'] : [];
  const copy: Properties = value instanceof Error ? (new Error() as Error & Properties) : {};
  // Still of its class: whoever threw it tells it by that.
  Object.setPrototypeOf(copy, Object.getPrototypeOf(value));
  let changed = false;
  for (const key of new Set<PropertyKey>([...hidden, ...Reflect.ownKeys(value)])) {
    const name = typeof key === 'string' ? clean(key) : key;
    const before = read(value, key);
    const item = inside(before);
    changed ||= name !== key || item !== before;
    const enumerable = !hidden.includes(key as string);
    Object.defineProperty(copy, name, { value: item, enumerable, configurable: true, writable: true });
  }
  return changed ? copy : value;
}

function read(value: Properties, key: PropertyKey): unknown {
  try {
    return value[key];
  } catch {
    // A getter that fails has nothing to show.
    return undefined;
  }
}
