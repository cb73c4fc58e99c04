/** The secrets that a client has used, shared by all of its calls. Only the most recent ones are kept. */
export class RecentSecrets {
  /** The forms of each secret, least recently used first. They're created on first use. */
  readonly #forms = new Map<string, SecretForms | undefined>();
  /** The secrets, longest first, because a secret can be the start of another one. */
  #sorted: readonly string[] | undefined;

  get sorted(): readonly string[] {
    this.#sorted ??= [...this.#forms.keys()].sort(byLength);
    return this.#sorted;
  }

  add(secret: string): void {
    const forms = this.#forms.get(secret);
    // Reinsert the secret at the end, as the most recently used one.
    if (!this.#forms.delete(secret)) this.#sorted = undefined;
    this.#forms.set(secret, forms);
    for (const oldest of this.#forms.keys()) {
      if (this.#forms.size > maxSecrets) this.#forms.delete(oldest);
    }
  }

  formsOf(secret: string): SecretForms {
    const forms = this.#forms.get(secret) ?? createForms(secret);
    if (this.#forms.has(secret)) this.#forms.set(secret, forms);
    return forms;
  }
}

const maxSecrets = 16;

const byLength = (one: string, other: string) => other.length - one.length;

/**
 * The maximum length of a body to redact, in characters. A longer body is truncated if it contains a secret,
 * because redacting it would take seconds.
 */
const maxRedactedBody = 2 ** 20;

/**
 * Removes a call's secrets, and the recent secrets of other calls, from strings, JSON, headers, errors, and
 * the causes of errors.
 */
export class Redactor {
  readonly #recent: RecentSecrets;
  readonly #own = new Set<string>();

  constructor(recent: RecentSecrets) {
    this.#recent = recent;
  }

  /** Adds a secret that the call uses. */
  add(secret: string): void {
    // Strings as short as this aren't secrets, and redacting them would garble ordinary words.
    if (secret.length <= 3) return;
    this.#own.add(secret);
    this.#recent.add(secret);
  }

  redact<Value>(value: Value): Value {
    return redactedCopy(value, this.#clean) as Value;
  }

  /**
   * Redacts a response body. First searches its text, which is much faster than visiting every value.
   *
   * @returns the parsed body, or the start of the text if the body is long and contains a secret
   */
  redactBody(text: string, parsed: unknown): unknown {
    const cleaned = this.#clean.text(text);
    if (cleaned === text) return parsed;
    return cleaned.length > maxRedactedBody ? cleaned.slice(0, maxRedactedBody) : this.redact(parsed);
  }

  readonly #clean: Clean = {
    text: (text) => {
      let cleaned = text;
      for (const secret of this.#secrets()) {
        cleaned = cleaned.replaceAll(secret, '[redacted]');
        const { base64, encoded } = this.#recent.formsOf(secret);
        for (const form of base64) cleaned = cleaned.replaceAll(form, '[redacted]');
        // Skip the slow pattern for the many strings that contain no encoded characters.
        if (/[%\\&]/.test(cleaned)) cleaned = cleaned.replace(encoded, '[redacted]');
      }
      return cleaned;
    },
    // The replacement is a valid header name: lowercase, without brackets.
    headerName: (name) =>
      this.#secrets().some((secret) => name.includes(secret.toLowerCase())) ? 'redacted' : name,
  };

  #secrets(): readonly string[] {
    // If many credentials are in use, other calls may have evicted this call's secrets.
    const { sorted } = this.#recent;
    const own = [...this.#own];
    if (own.every((secret) => sorted.includes(secret))) return sorted;
    return [...new Set([...own, ...sorted])].sort(byLength);
  }
}

/** The forms that a secret can take in URLs, headers, JSON, and HTML. */
interface SecretForms {
  /** The parts of its base64 and base64url encodings that don't depend on what surrounds the secret. */
  readonly base64: readonly string[];
  /** Matches the secret if characters are percent-encoded, escaped in JSON, or HTML entities. */
  readonly encoded: RegExp;
}

/**
 * The pattern contains only the start of a long secret, because compiling all of it would take seconds. After
 * the start, it matches anything up to a space. It ignores case, because hexadecimal digits can be in either case.
 */
function createForms(secret: string): SecretForms {
  const start = [...secret].slice(0, 100).map(anyEncodingOf).join('');
  const encoded = new RegExp(secret[100] ? `${start}\\S*` : start, 'gi');
  const base64 = [0, 1, 2].map((offset) => base64Part(secret, offset)).filter((part) => part.length >= 8);
  const base64url = base64.map((part) => part.replaceAll('+', '-').replaceAll('/', '_'));
  return { base64: [...new Set([...base64, ...base64url])].sort(byLength), encoded };
}

/** @param offset how many bytes precede the secret, modulo 3 */
function base64Part(secret: string, offset: number): string {
  const bytes = [...new Array<number>(offset).fill(0), ...new TextEncoder().encode(secret)];
  const text = btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
  // The other characters also encode bits of the neighboring bytes.
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

function anyEncodingOf(character: string): string {
  const codePoint = character.codePointAt(0) as number;
  const units = character
    .split('')
    .map((unit) => `${backslash}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const bytes = [...new TextEncoder().encode(character)];
  return `(?:${[
    `\\\\{0,4}${character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}`,
    units.join(''),
    bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    `&#0*${codePoint};?`,
    `&#x0*${codePoint.toString(16)};?`,
    ...(entities[character] ?? []),
  ].join('|')})`;
}

/** If JSON contains a string of JSON, the backslash is escaped more than once. */
const backslash = '\\\\{1,4}';

const entities: Record<string, string[]> = {
  '&': ['&amp;?'],
  '<': ['&lt;?'],
  '>': ['&gt;?'],
  '"': ['&quot;?'],
  "'": ['&apos;?'],
};

/** Functions that remove secrets from strings and header names. */
export interface Clean {
  text(text: string): string;
  headerName(name: string): string;
}

/**
 * The maximum nesting depth. No real error or record is this deep, but a malicious one could overflow the
 * stack.
 */
const maxDepth = 32;

/** @returns a copy without secrets, or the value itself if it contains none */
function redactedCopy(value: unknown, clean: Clean): unknown {
  const ancestors = new Set<object>();
  /** The results for visited objects, which may be referenced more than once. */
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
  // Drop instances of other classes, because they may store a credential in private fields, which printing
  // would reveal.
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
  // Some classes, such as `DOMException`, define these properties as getters, which would fail on a copy.
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
  // Give the copy the same class, because error handlers may check it.
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
    // Some getters throw errors.
    return undefined;
  }
}
