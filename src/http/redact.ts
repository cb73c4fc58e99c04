import { secretPattern } from './secret-pattern.js';

/** Removes a call's credentials from strings, JSON, headers, errors, and their causes. */
export type Redact = <Value>(value: Value) => Value;

/** @param secrets a call's credentials; later attempts may add more */
export function redactor(secrets: ReadonlySet<string>): Redact {
  const patterns = new Map<string, RegExp>();
  const patternOf = (secret: string) => {
    const pattern = patterns.get(secret) ?? secretPattern(secret);
    patterns.set(secret, pattern);
    return pattern;
  };
  const clean = (text: string) => {
    let cleaned = text;
    // A credential can be the start of another one, so the longest is removed first.
    for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
      // Strings this short aren't secrets, and removing them would garble ordinary words.
      if (secret.length <= 3) continue;
      cleaned = cleaned.replaceAll(secret, '[redacted]');
      // Creating the pattern is slow, and most strings contain no encoded characters.
      if (/[%\\&]/.test(cleaned)) cleaned = cleaned.replace(patternOf(secret), '[redacted]');
    }
    return cleaned;
  };
  return <Value>(value: Value) =>
    (typeof value === 'string'
      ? clean(value)
      : walk(value, { clean, ancestors: [], known: new Map() })) as Value;
}

/** No real error or record is nested this deeply, but a malicious one could overflow the stack. */
const maxDepth = 32;

interface Walk {
  clean: (text: string) => string;
  /** The value's ancestors, starting with the outermost. */
  ancestors: readonly unknown[];
  /** Results for visited objects, which may be referenced more than once. */
  known: Map<object, unknown>;
}

function walk(value: unknown, { clean, ancestors, known }: Walk): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (ancestors.length > maxDepth || ancestors.includes(value)) return undefined;
  if (!known.has(value)) {
    const inside = (item: unknown) => walk(item, { clean, ancestors: [...ancestors, value], known });
    known.set(value, walkObject(value, clean, inside));
  }
  return known.get(value);
}

/** @returns the object itself if nothing in it had to be removed */
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
  // Instances of other classes can store a credential in private fields, which printing can reveal.
  const plain = value instanceof Error || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (plain) return walkProperties(value as Properties, clean, inside);
  return value instanceof Date ? value : undefined;
}

type Properties = Record<PropertyKey, unknown>;

const errorProperties = ['name', 'message', 'stack', 'cause', 'code'];

function walkProperties(
  value: Properties | (Error & Properties),
  clean: (text: string) => string,
  inside: (item: unknown) => unknown,
): object {
  // Some classes, such as `DOMException`, define these properties as getters that don't work on a copy.
  const standard = value instanceof Error ? errorProperties.filter((key) => key in value) : [];
  const copy: Properties = value instanceof Error ? (new Error() as Error & Properties) : {};
  // The copy has the same class, because error handlers may check it.
  Object.setPrototypeOf(copy, Object.getPrototypeOf(value));
  let changed = false;
  for (const key of new Set<PropertyKey>([...standard, ...Reflect.ownKeys(value)])) {
    const name = typeof key === 'string' ? clean(key) : key;
    const before = read(value, key);
    const item = inside(before);
    changed ||= name !== key || item !== before;
    const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
    Object.defineProperty(copy, name, { value: item, enumerable, configurable: true, writable: true });
  }
  return changed ? copy : value;
}

function read(value: Properties, key: PropertyKey): unknown {
  try {
    return value[key];
  } catch {
    // The getter threw an error.
    return undefined;
  }
}
