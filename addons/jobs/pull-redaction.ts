import { createHash } from 'node:crypto';
import { parseDateTime } from '../../src/contract/index.js';
import { redactText, type TextFormat } from './pull-text.js';

/** All {@link KeptKind}s. */
export const keptKinds = ['dates', 'ids', 'people', 'structure', 'texts', 'titles'] as const;

/**
 * A kind of value that a pull replaces unless it's kept:
 *
 * - `dates`: all dates and times
 * - `ids`: the IDs of records, and the keys of projects
 * - `people`: the names of users and credentials, and email addresses
 * - `structure`: the names of the organization, projects, boards, labels, and tags
 * - `texts`: descriptions, captions, and the content of documents
 * - `titles`: the titles of tickets and documents
 */
export type KeptKind = (typeof keptKinds)[number];

/** The prefix of a replaced ID. */
export type IdPrefix = 'org' | 'usr' | 'crd' | 'prj' | 'lbl' | 'tag' | 'brd' | 'tkt' | 'doc';

/** Replaces values. With the same key, a value always has the same replacement. */
export class Redaction {
  readonly #key: string;
  readonly #kept: ReadonlySet<KeptKind>;
  /** The number of milliseconds by which dates are moved back. */
  readonly #shift: number;

  constructor(key: string, keep: readonly KeptKind[]) {
    this.#key = key;
    this.#kept = new Set(keep);
    const weeks = 1 + (Number.parseInt(this.digest('shift', '').slice(0, 8), 16) % 52);
    this.#shift = this.keeps('dates') ? 0 : weeks * 7 * 24 * 3_600_000;
  }

  keeps(kind: KeptKind): boolean {
    return this.#kept.has(kind);
  }

  /** @param limit the maximum number of code points. The rest is cut off. */
  text(kind: KeptKind, value: unknown, limit = Infinity, format?: TextFormat): string | null {
    if (typeof value !== 'string') return null;
    return shortened(this.keeps(kind) ? value : redactText(this.#key, value, format), limit);
  }

  /** Like `text`, but adds the result to `taken`. If it's taken already, appends a number. */
  distinctText(kind: KeptKind, value: unknown, limit: number, taken: Set<string>): string {
    // Short names have only a few replacements.
    const text = this.text(kind, value, limit) ?? '';
    let free = text;
    for (let count = 2; taken.has(free); count++) free = shortened(text, limit - `${count}`.length) + count;
    taken.add(free);
    return free;
  }

  id(prefix: IdPrefix, value: unknown): string {
    return this.keeps('ids') ? String(value) : `${prefix}_${this.digest(prefix, String(value)).slice(0, 24)}`;
  }

  email(value: unknown): string | undefined {
    if (typeof value !== 'string') return undefined;
    return this.keeps('people') ? value : `user-${this.digest('email', value).slice(0, 12)}@example.com`;
  }

  /** Moves a date back by the same number of weeks as all other dates. Returns null if it isn't a date. */
  date(value: unknown): string | null {
    if (typeof value !== 'string') return null;
    const date = new Date((parseDateTime(value) ?? new Date(value)).getTime() - this.#shift);
    const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
    // The mock server can't load dates whose year doesn't have four digits.
    return /^\d{4}-/.test(text) ? text : null;
  }

  /** Returns a string that depends on the key and the value, and reveals neither. */
  digest(purpose: string, value: string): string {
    const text = JSON.stringify([this.#key, purpose, value]);
    return createHash('sha256').update(text).digest('hex');
  }
}

const shortened = (text: string, limit: number): string =>
  text.length > limit ? [...text].slice(0, limit).join('') : text;
