/** Functions that remove secrets from strings and header names. */
export interface Clean {
  text(text: string): string;
  headerName(name: string): string;
}

/** No real error or record is nested this deeply, but a malicious one could overflow the stack. */
const maxDepth = 32;

/** @returns a copy without secrets, or the value itself if nothing in it had to be removed */
export function redactedCopy(value: unknown, clean: Clean): unknown {
  const ancestors = new Set<object>();
  /** Results for visited objects, which may be referenced more than once. */
  const known = new Map<object, unknown>();
  const visit = (item: unknown): unknown => {
    if (typeof item === 'string') return clean.text(item);
    if (typeof item !== 'object' || item === null) return typeof item === 'function' ? undefined : item;
    if (ancestors.size > maxDepth || ancestors.has(item)) return undefined;
    if (!known.has(item)) {
      ancestors.add(item);
      known.set(item, copyObject(item, clean, visit));
      ancestors.delete(item);
    }
    return known.get(item);
  };
  return visit(value);
}

function copyObject(value: object, clean: Clean, visit: (item: unknown) => unknown): unknown {
  if (value instanceof Headers) {
    const entries = [...value].map(([name, text]) => [clean.headerName(name), clean.text(text)]);
    return new Headers(entries as [string, string][]);
  }
  if (Array.isArray(value)) {
    const items = value.map(visit);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  // Instances of other classes can store a credential in private fields, which printing can reveal.
  const plain = value instanceof Error || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (plain) return copyProperties(value as Properties, clean, visit);
  return value instanceof Date ? value : undefined;
}

type Properties = Record<PropertyKey, unknown>;

const errorProperties = ['name', 'message', 'stack', 'cause', 'code'];

function copyProperties(
  value: Properties | (Error & Properties),
  clean: Clean,
  visit: (item: unknown) => unknown,
): object {
  // Some classes, such as `DOMException`, define these properties as getters that don't work on a copy.
  const standard = value instanceof Error ? errorProperties.filter((key) => key in value) : [];
  const properties: [key: PropertyKey, name: PropertyKey, item: unknown][] = [];
  let changed = false;
  for (const key of new Set<PropertyKey>([...standard, ...Reflect.ownKeys(value)])) {
    const name = typeof key === 'string' ? clean.text(key) : key;
    const before = read(value, key);
    const item = visit(before);
    changed ||= name !== key || item !== before;
    properties.push([key, name, item]);
  }
  if (!changed) return value;
  const copy: Properties = value instanceof Error ? (new Error() as Error & Properties) : {};
  // The copy has the same class, because error handlers may check it.
  Object.setPrototypeOf(copy, Object.getPrototypeOf(value));
  for (const [key, name, item] of properties) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
    Object.defineProperty(copy, name, { value: item, enumerable, configurable: true, writable: true });
  }
  return copy;
}

function read(value: Properties, key: PropertyKey): unknown {
  try {
    return value[key];
  } catch {
    // The getter threw an error.
    return undefined;
  }
}
