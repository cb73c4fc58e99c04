import { WorktrackError } from '../../src/index.js';
import { brandAs, didYouMean, inQuotes, nearestOf, shorten } from '../../src/internal.js';

export interface Named {
  id: string;
  name: string;
  key?: string;
  slug?: string;
  email?: string;
}

/** Finds records by ID or name. IDs take precedence over names. */
export class Names<Item extends Named> {
  readonly records: readonly Item[];
  readonly #kind: string;
  readonly #scope: string;
  readonly #byId: ReadonlyMap<string, Item>;
  readonly #byName = new Map<string, Set<Item>>();

  /**
   * @param kind the record type, such as `board`
   * @param scope the records' parent, used in error messages
   */
  constructor(kind: string, records: readonly Item[], scope = ' of this project') {
    this.records = records;
    this.#kind = kind;
    this.#scope = scope;
    this.#byId = new Map(records.map((record) => [record.id, record]));
    for (const record of records) {
      for (const name of namesOf(record).map(fold)) {
        this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(record));
      }
    }
  }

  /** @throws LookupError if no record matches, or more than one does */
  find(reference: string): Item {
    const text = reference.trim();
    const record = this.#byId.get(text) ?? this.#only(text, [...(this.#byName.get(fold(text)) ?? [])]);
    if (record) return record;
    throw new LookupError(
      'unknown',
      `${inQuotes(text)} is not a ${this.#kind}${this.#scope}`,
      this.records,
      `; ${this.#suggest(text)}`,
    );
  }

  /** Finds a project by its key. @throws LookupError if several projects have the key */
  withKey(key: string): Item | undefined {
    const matches = this.records.filter((record) => fold(record.key ?? '') === fold(key));
    return this.#only(key, matches);
  }

  #only(text: string, matches: readonly Item[]): Item | undefined {
    if (matches.length < 2) return matches[0];
    const list = matches.slice(0, maxCandidates).map(describe);
    if (matches.length > maxCandidates) list.push('…');
    const problem = `${inQuotes(text)} matches ${matches.length} ${this.#kind}s`;
    throw new LookupError('ambiguous', problem, matches, `: ${list.join(', ')}; use an ID`);
  }

  #suggest(text: string): string {
    const isUnique = (name: string) => this.#byName.get(fold(name))?.size === 1;
    const names = this.records.map((record) => namesOf(record).filter(isUnique));
    if (names.length === 0) return `there are no ${this.#kind}s`;
    if (nearestOf(text, names.flat())) return didYouMean(text, names.flat());
    return didYouMean(
      text,
      this.records.map(({ id }, index) => names[index]?.[0] ?? id),
    );
  }
}

/** Thrown if a reference matches no record or more than one. Nothing was changed. */
export class LookupError extends WorktrackError {
  declare readonly name: 'LookupError';
  declare readonly code: 'lookup';
  readonly reason: 'unknown' | 'ambiguous';
  /** The problem, without any text from the server. */
  readonly problem: string;
  /** The matching records, or all records of this kind if none matches. */
  readonly candidates: readonly Named[];

  static {
    brandAs(LookupError, 'LookupError', 'lookup');
  }

  constructor(reason: LookupError['reason'], problem: string, candidates: readonly Named[] = [], hint = '') {
    super(problem + hint, { outcome: 'not_sent' });
    this.reason = reason;
    this.problem = problem;
    this.candidates = candidates;
  }
}

const maxCandidates = 10;

const fold = (name: string): string => name.trim().toLowerCase();

/** Returns a record's names, most common first. */
const namesOf = ({ key, name, slug, email }: Named): string[] =>
  [key, name, slug, email].filter((text) => typeof text === 'string');

const describe = ({ id, key, slug, email, name }: Named): string =>
  `${shorten(name, 60)} (${[key ?? slug ?? email, `ID ${id}`].filter(Boolean).join(', ')})`;
