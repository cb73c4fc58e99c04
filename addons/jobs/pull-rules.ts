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
  priorities,
  type Reference,
  roles,
  type Ticket,
} from '../../src/contract/index.js';
import { isObject } from '../../src/internal.js';
import type { IdPrefix, KeptKind, Redaction } from './pull-redaction.js';
import type { TextFormat } from './pull-text.js';

/** Converts the value of a field to seed data. The field is left out if the result is undefined. */
type Rule = (value: unknown, seeds: SeedRecords, tags: SeedTags) => unknown;

/** If the contract gets a new field, the code doesn't compile until the field has a rule. */
type Rules<RecordType> = { readonly [Field in keyof RecordType]-?: Rule };

/** In a seed file, the position and the parents of a record follow from where it is. */
const leftOut: Rule = () => undefined;

function id(prefix: IdPrefix): Rule {
  return (value, { redaction }) => redaction.id(prefix, value);
}

function name(kind: KeptKind, limit?: number): Rule {
  return (value, { redaction }) => redaction.text(kind, value, limit) ?? '';
}

function freeText(limit: number, format?: TextFormat): Rule {
  return (value, { redaction }) => redaction.text('texts', value, limit, format);
}

function oneOf(values: readonly string[]): Rule {
  return (value) => values.find((known) => known === value);
}

function users(limit?: number): Rule {
  return (value, seeds) => seeds.users(listOf<Reference>(value).slice(0, limit));
}

function tagNames(limit?: number): Rule {
  return (value, _, tags) => tags.names(listOf<Reference>(value).slice(0, limit));
}

const date: Rule = (value, { redaction }) => redaction.date(value);
const timestamp: Rule = (value, { redaction }) => redaction.date(value) ?? undefined;
const color: Rule = (value) => (typeof value === 'string' && colorPattern.test(value) ? value : null);
const flag: Rule = (value) => value === true;
const positiveInteger: Rule = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? value : undefined;
const actor: Rule = (value, seeds) => seeds.actor(value as Actor | null);
const labels: Rule = (value, { redaction }) =>
  listOf<Label>(value).map((label) => redaction.id('lbl', label.id));
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
  organization: { id: id('org'), name: name('structure'), ...timestamps },
  project: {
    id: id('prj'),
    organization_id: leftOut,
    name: name('structure', limits.project.name),
    key: (value, seeds) => seeds.projectKey(value),
    description: freeText(limits.project.description),
    archived_at: date,
    ...timestamps,
  },
  member: {
    id: id('usr'),
    name: name('people'),
    email: (value, { redaction }) => redaction.email(value),
    role: oneOf(roles),
  },
  label: { id: id('lbl'), name: name('structure'), color },
  board: {
    id: id('brd'),
    project_id: leftOut,
    name: name('structure', limits.board.name),
    // The mock server derives a missing slug from the redacted name.
    slug: (value, { redaction }) => (redaction.keeps('structure') ? (value ?? undefined) : undefined),
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
    title: name('titles', limits.ticket.title),
    description_html: freeText(limits.ticket.description_html, 'html'),
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
    // The reader adds the project if it's part of the seed data.
    project_id: leftOut,
    author_id: leftOut,
    author: actor,
    api_credential_id: leftOut,
    title: name('titles', limits.document.title),
    caption: freeText(limits.document.caption),
    content_html: freeText(limits.document.content_html, 'html'),
    status: oneOf(documentStatuses),
    tags: tagNames(limits.document.tag_names),
    editors: users(limits.document.editor_ids),
    published_at: date,
    archived_at: date,
    ...timestamps,
  },
};

/** A record of the seed data. */
export type Seed = Record<string, unknown> & { id: string };

/** Converts records to redacted seed data, and collects the people that they refer to. */
export class SeedRecords {
  readonly redaction: Redaction;
  readonly #users = new Map<string, Seed>();
  readonly #credentials = new Map<string, Seed>();
  readonly #projectKeys = new Set<string>();

  constructor(redaction: Redaction) {
    this.redaction = redaction;
  }

  convert<Kind extends keyof PulledRecords>(
    kind: Kind,
    record: Partial<PulledRecords[Kind]>,
    tags = new SeedTags(this.redaction),
  ): Seed {
    const values: Record<string, unknown> = { ...record };
    const fields = Object.entries<Rule>(rules[kind]).map(([name, rule]) => [
      name,
      rule(values[name], this, tags),
    ]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Seed;
  }

  projectKey(value: unknown): string | undefined {
    if (typeof value !== 'string') return undefined;
    return this.redaction.distinctText('ids', value, limits.project.key, this.#projectKeys);
  }

  /**
   * Adds users to the organization. Members have an email address and a role, but references may not.
   *
   * @returns their IDs in the seed data
   */
  users(users: readonly (Reference | Member)[]): string[] {
    return listOf<Reference | Member>(users).map((user) => {
      const id = this.redaction.id('usr', user.id);
      const known = this.#users.get(id);
      if (!known || 'email' in user) this.#users.set(id, { ...known, ...this.convert('member', user) });
      return id;
    });
  }

  /** Adds the user or credential that created a record. */
  actor(creator: Actor | null | undefined): string | null {
    if (creator?.type === 'user') return this.users([creator])[0] as string;
    if (creator?.type !== 'api_credential') return null;
    const id = this.redaction.id('crd', creator.id);
    const name = this.redaction.text('people', creator.name) ?? id;
    if (!this.#credentials.has(id)) this.#credentials.set(id, { id, name });
    return id;
  }

  /** Returns all users. If credentials created records, also returns them and one that can be used. */
  people(): { users: Seed[]; credentials?: object[] } {
    const users = [...this.#users.values()];
    if (this.#credentials.size === 0) return { users };
    const others = [...this.#credentials.values()].map((credential, index) => ({
      ...credential,
      token: `wt_pulled_${index + 1}`,
      scopes: [],
    }));
    return {
      users,
      credentials: [{ token: 'wt_default', name: 'Default credential', scopes: ['*'] }, ...others],
    };
  }
}

/**
 * The tags of a project's tickets or of the organization's documents. Records refer to tags by name, so a tag
 * that is renamed during the pull keeps its first name.
 */
export class SeedTags {
  readonly #redaction: Redaction;
  readonly #tags = new Map<string, { id: string; name: string }>();
  readonly #taken = new Set<string>();

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** Adds tags. @returns their names in the seed data */
  names(tags: readonly Reference[]): string[] {
    return tags.map(({ id, name }) => {
      const known = this.#tags.get(id);
      if (known) return known.name;
      const limit = limits.document.tag_name;
      const newName = this.#redaction.distinctText('structure', name, limit, this.#taken);
      this.#tags.set(id, { id: this.#redaction.id('tag', id), name: newName });
      return newName;
    });
  }

  all(): Reference[] {
    return [...this.#tags.values()];
  }
}

/** Returns the objects in a list, or none if it isn't a list. */
export const listOf = <Item extends object>(list: unknown): readonly Item[] =>
  Array.isArray(list) ? (list.filter(isObject) as unknown as Item[]) : [];

const colorPattern =
  /^(?:#[\da-f]{3,8}|(?:rgb|hsl)a?\([\d\s%.,/]{1,24}\)|amber|aqua|black|blue|brown|cyan|gold|gr[ae]y|green|indigo|lime|magenta|maroon|navy|olive|orange|pink|purple|red|silver|slate|teal|turquoise|violet|white|yellow)$/i;
