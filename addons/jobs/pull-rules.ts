import { createHash } from 'node:crypto';
import {
  type Actor,
  type Board,
  type Document,
  documentStatuses,
  type Label,
  limits,
  type Member,
  type Organization,
  type Project,
  parseDateTime,
  priorities,
  type Reference,
  roles,
  type Ticket,
} from '../../src/contract/index.js';
import { isObject } from '../../src/internal.js';
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

/** Converts the value of a field to seed data. The field is left out if the result is undefined. */
type Rule = (value: unknown, redaction: Redaction, tags: TagNames) => unknown;

/** If the contract gets a new field, the code doesn't compile until the field has a rule. */
type Rules<RecordType> = { readonly [Field in keyof RecordType]-?: Rule };

/** In a seed file, the position and the parents of a record follow from where it is. */
const leftOut: Rule = () => undefined;

const id =
  (prefix: IdPrefix): Rule =>
  (value, redaction) =>
    redaction.id(prefix, value);

const text =
  (kind: KeptKind, limit?: number): Rule =>
  (value, redaction) =>
    redaction.text(kind, String(value ?? ''), limit);

const optionalText =
  (limit: number, format?: TextFormat): Rule =>
  (value, redaction) =>
    typeof value === 'string' ? redaction.text('texts', value, limit, format) : null;

const date: Rule = (value, redaction) => redaction.date(value);
const timestamp: Rule = (value, redaction) => redaction.date(value) ?? undefined;
const color: Rule = (value) => (typeof value === 'string' && colorPattern.test(value) ? value : null);
const flag: Rule = (value) => value === true;
const positiveInteger: Rule = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? value : undefined;
const oneOf =
  (values: readonly string[]): Rule =>
  (value) =>
    values.find((known) => known === value);

const actor: Rule = (value, redaction) => redaction.actor(value as Actor | null);
const users =
  (limit = Infinity): Rule =>
  (value, redaction) =>
    listOf<Reference>(value)
      .slice(0, limit)
      .map((user) => redaction.user(user));
const labels: Rule = (value, redaction) => listOf<Label>(value).map((label) => redaction.id('lbl', label.id));
const tagNames =
  (limit = Infinity): Rule =>
  (value, redaction, tags) =>
    listOf<Reference>(value)
      .slice(0, limit)
      .map((tag) => tags.add(tag, redaction));

const timestamps = { created_at: timestamp, updated_at: timestamp };

interface PulledRecords {
  organization: Organization;
  project: Project;
  member: Member;
  label: Label;
  board: Board;
  ticket: Ticket;
  document: Document;
}

/** How each field of each record is converted. Fields that aren't in the contract are never read. */
const rules: { readonly [Kind in keyof PulledRecords]: Rules<PulledRecords[Kind]> } = {
  organization: { id: id('org'), name: text('structure'), ...timestamps },
  project: {
    id: id('prj'),
    organization_id: leftOut,
    name: text('structure', limits.project.name),
    key: (value, redaction) => redaction.projectKey(value),
    description: optionalText(limits.project.description),
    archived_at: date,
    ...timestamps,
  },
  member: {
    id: id('usr'),
    name: text('people'),
    email: (value, redaction) => redaction.email(value),
    role: oneOf(roles),
  },
  label: { id: id('lbl'), name: text('structure'), color },
  board: {
    id: id('brd'),
    project_id: leftOut,
    name: text('structure', limits.board.name),
    // The mock server derives a missing slug from the redacted name.
    slug: (value, redaction) => (redaction.keeps('structure') ? (value ?? undefined) : undefined),
    position: leftOut,
    color,
    wip_limit: positiveInteger,
    is_done: flag,
    is_hidden: flag,
    ...timestamps,
  },
  ticket: {
    id: id('tkt'),
    project_id: leftOut,
    board_id: leftOut,
    number: positiveInteger,
    title: text('titles', limits.ticket.title),
    description_html: optionalText(limits.ticket.description_html, 'html'),
    priority: oneOf(priorities),
    position: leftOut,
    due_at: date,
    started_at: date,
    completed_at: date,
    api_credential_id: leftOut,
    creator: actor,
    assignees: users(),
    labels,
    tags: tagNames(),
    archived_at: date,
    ...timestamps,
  },
  document: {
    id: id('doc'),
    organization_id: leftOut,
    // `pull` sets the project, because it knows which projects are part of the copy.
    project_id: leftOut,
    author_id: leftOut,
    author: actor,
    api_credential_id: leftOut,
    title: text('titles', limits.document.title),
    caption: optionalText(limits.document.caption),
    content_html: optionalText(limits.document.content_html, 'html'),
    status: oneOf(documentStatuses),
    tags: tagNames(limits.document.tag_names),
    editors: users(limits.document.editor_ids),
    published_at: date,
    archived_at: date,
    ...timestamps,
  },
};

/** The prefix of a replaced ID. */
type IdPrefix = 'org' | 'usr' | 'crd' | 'prj' | 'lbl' | 'tag' | 'brd' | 'tkt' | 'doc';

/** A record of the seed data. */
export type Seed = Record<string, unknown> & { id: string };

/** Converts a deployment's records to redacted seed data, and collects the people that they refer to. */
export class Redaction {
  readonly users = new Map<string, Seed>();
  readonly credentials = new Map<string, Seed>();
  readonly #key: string;
  readonly #kept: ReadonlySet<KeptKind>;
  readonly #shift: number;
  readonly #projectKeys = new Set<string>();

  constructor({ key, keep }: { key: string; keep: readonly KeptKind[] }) {
    this.#key = key;
    this.#kept = new Set(keep);
    const weeks = 1 + (Number.parseInt(this.digest('shift', '').slice(0, 8), 16) % 52);
    this.#shift = this.keeps('dates') ? 0 : weeks * week;
  }

  record<Kind extends keyof PulledRecords>(
    kind: Kind,
    record: Partial<PulledRecords[Kind]>,
    tags = new TagNames(),
  ): Seed {
    const fields = Object.entries<Rule>(rules[kind]).map(([name, rule]) => [
      name,
      rule((record as Record<string, unknown>)[name], this, tags),
    ]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Seed;
  }

  keeps(kind: KeptKind): boolean {
    return this.#kept.has(kind);
  }

  /** @param limit the maximum number of code points. The rest is cut off. */
  text(kind: KeptKind, value: string, limit = Infinity, format?: TextFormat): string {
    return shortened(this.keeps(kind) ? value : redactText(this.#key, value, format), limit);
  }

  id(prefix: IdPrefix, value: unknown): string {
    return this.keeps('ids') ? String(value) : `${prefix}_${this.digest(prefix, String(value)).slice(0, 24)}`;
  }

  projectKey(value: unknown): string | undefined {
    if (typeof value !== 'string') return undefined;
    return distinct(this.text('ids', value, limits.project.key), this.#projectKeys, limits.project.key);
  }

  email(value: unknown): string | undefined {
    if (typeof value !== 'string') return undefined;
    return this.keeps('people') ? value : `user-${this.digest('email', value).slice(0, 12)}@example.com`;
  }

  /** Moves a date back by a number of weeks that is the same for all dates. Returns null if it isn't a date. */
  date(value: unknown): string | null {
    if (typeof value !== 'string') return null;
    const time = (parseDateTime(value) ?? new Date(value)).getTime() - this.#shift;
    const shifted = Math.abs(time) <= maxTime ? new Date(time).toISOString() : '';
    // The mock server can't load dates whose year doesn't have four digits.
    return /^\d{4}-/.test(shifted) ? shifted : null;
  }

  /** Adds a user to the organization. Members have an email address and a role, references may not. */
  user(user: Reference | Member): string {
    const known = this.users.get(this.id('usr', user.id));
    if (known && !('email' in user)) return known.id;
    const seed = { ...known, ...this.record('member', user) };
    this.users.set(seed.id, seed);
    return seed.id;
  }

  /** Adds the user or credential that created a record. */
  actor(creator: Actor | null | undefined): string | null {
    if (creator?.type === 'user') return this.user(creator);
    if (creator?.type !== 'api_credential') return null;
    const seed = { id: this.id('crd', creator.id), name: this.text('people', String(creator.name)) };
    if (!this.credentials.has(seed.id)) this.credentials.set(seed.id, seed);
    return seed.id;
  }

  digest(purpose: string, value: string): string {
    return createHash('sha256')
      .update(JSON.stringify([this.#key, purpose, value]))
      .digest('hex');
  }
}

/**
 * The tags of a project's tickets or of the organization's documents. Records refer to tags by name, so a tag
 * that is renamed during the pull keeps its first name.
 */
export class TagNames {
  readonly #byId = new Map<string, Seed>();
  readonly #byName = new Map<string, Seed>();
  readonly #taken = new Set<string>();

  /** @returns the tag's name in the seed data */
  add({ id, name }: Reference, redaction: Redaction): string {
    const known = this.#byId.get(id) ?? this.#byName.get(name);
    const limit = limits.document.tag_name;
    const newName = () => distinct(redaction.text('structure', String(name), limit), this.#taken, limit);
    const seed = known ?? { id: redaction.id('tag', id), name: newName() };
    this.#byId.set(id, seed);
    if (!known) this.#byName.set(name, seed);
    return seed.name as string;
  }

  all(): Seed[] {
    return [...this.#byName.values()];
  }
}

/** Returns the objects in a list. Returns an empty list for anything else. */
export const listOf = <Item extends object>(list: unknown): readonly Item[] =>
  Array.isArray(list) ? (list.filter(isObject) as unknown as Item[]) : [];

/** Appends a number to a name that is taken, because short names have only a few replacements. */
function distinct(name: string, taken: Set<string>, limit: number): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = shortened(name, limit - `${count}`.length) + count;
  taken.add(free);
  return free;
}

const shortened = (text: string, limit: number): string =>
  text.length > limit ? [...text].slice(0, limit).join('') : text;

const week = 7 * 24 * 3_600_000;

/** The latest time that a `Date` can represent. */
const maxTime = 8.64e15;

const colorPattern =
  /^(?:#[\da-f]{3,8}|(?:rgb|hsl)a?\([\d\s%.,/]{1,24}\)|amber|aqua|black|blue|brown|cyan|gold|gr[ae]y|green|indigo|lime|magenta|maroon|navy|olive|orange|pink|purple|red|silver|slate|teal|turquoise|violet|white|yellow)$/i;
