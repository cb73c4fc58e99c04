import { createHash } from 'node:crypto';
import { parseDateTime } from '../../../src/contract/index.js';
import type { KeptKind } from './options.js';
import { redactText } from './redact-text.js';

/** The `PullOptions` that determine what is redacted and how. */
export interface RedactionOptions {
  key: string;
  keep: readonly KeptKind[];
  renameIds: boolean;
}

/** The kinds of records that have IDs. */
export type IdKind =
  | 'organization'
  | 'user'
  | 'credential'
  | 'project'
  | 'board'
  | 'label'
  | 'tag'
  | 'ticket'
  | 'document';

/** Replaces the values of one deployment's records. The same value always has the same replacement. */
export class Redaction {
  readonly #key: string;
  readonly #kept: ReadonlySet<KeptKind>;
  readonly #renamesIds: boolean;
  readonly #shift: number;

  constructor({ key, keep, renameIds }: RedactionOptions) {
    this.#key = digestOf(key, 'key', '');
    this.#kept = new Set(keep);
    this.#renamesIds = renameIds;
    const weeks = 1 + (Number.parseInt(this.#digest('shift', '').slice(0, 8), 16) % 52);
    this.#shift = this.#kept.has('dates') ? 0 : weeks * week;
  }

  /** @param limit the maximum number of code points. The rest is cut off. */
  text(kind: KeptKind, value: string, limit = Number.POSITIVE_INFINITY, attempt = 0): string {
    const text = shortened(value, limit);
    return this.#kept.has(kind) ? text : redactText(this.#key, text, attempt);
  }

  id(kind: IdKind, value: unknown): string {
    const id = String(value);
    return this.#renamesIds ? `${kind.slice(0, 3)}_${this.#digest(kind, id).slice(0, 24)}` : id;
  }

  /** Redacts a project key. A project key counts as an ID because it's part of references such as APO-3. */
  projectKey(value: string, limit: number, attempt: number): string {
    const key = shortened(value, limit);
    return this.#renamesIds ? redactText(this.#key, key, attempt) : key;
  }

  /**
   * Shifts a date by a constant number of weeks, so that weekdays don't change. Returns null for an invalid
   * date.
   */
  date(value: unknown): string | null {
    if (typeof value !== 'string') return null;
    const date = new Date((parseDateTime(value) ?? new Date(value)).getTime() - this.#shift);
    const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
    // The mock server can't load dates whose year doesn't have four digits.
    return /^\d{4}-/.test(text) ? text : null;
  }

  /** Keeps colors and replaces anything else. */
  color(value: unknown, limit: number): string | null {
    if (typeof value !== 'string') return null;
    const text = shortened(value, limit);
    return color.test(text) ? text : redactText(this.#key, text);
  }

  email(value: string, attempt: number): string {
    if (this.#kept.has('emails')) return value;
    const [local = ''] = value.split('@');
    return `${redactText(this.#key, local, attempt)}@example.com`;
  }

  /** Returns a record's rank in a random order, which is used to choose a sample. */
  rank(id: string): string {
    return this.#digest('sample', id);
  }

  #digest(kind: string, value: string): string {
    return digestOf(this.#key, kind, value);
  }
}

const shortened = (text: string, limit: number): string =>
  text.length > limit ? [...text].slice(0, limit).join('') : text;

const digestOf = (key: string, kind: string, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([key, kind, value]))
    .digest('hex');

const week = 7 * 24 * 3_600_000;

const color =
  /^(?:#[\da-f]{3,8}|(?:rgb|hsl)a?\([\d\s%.,/]+\)|amber|aqua|black|blue|brown|cyan|gold|gr[ae]y|green|indigo|lime|magenta|maroon|navy|olive|orange|pink|purple|red|silver|slate|teal|turquoise|violet|white|yellow)$/i;

/**
 * Ensures that different values get different replacements, even though only a few replacements are possible
 * for short strings.
 */
export class DistinctNames {
  readonly #replacements = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** @param redact returns a replacement, which differs for each attempt */
  replace(value: string, redact: (attempt: number) => string): string {
    const known = this.#replacements.get(value);
    if (known !== undefined) return known;
    let replacement = redact(0);
    for (let attempt = 1; this.#taken.has(replacement); attempt++) {
      // After many attempts, append a number, because all replacements of this length may be taken.
      replacement = redact(attempt) + (attempt > 50 ? attempt : '');
    }
    this.#replacements.set(value, replacement);
    this.#taken.add(replacement);
    return replacement;
  }
}
