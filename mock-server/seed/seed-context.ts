import type { Actor, Label } from '../../src/contract/index.js';
import { actor } from '../rules/views.js';
import type { NamePool } from '../state/boards.js';
import type { OrganizationRow, UserRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { Table } from '../store/table.js';
import { SeedError } from './seed-error.js';
import type { TagSeed } from './world.js';

/**
 * The fields that remain after a loader has destructured a seed. If the loader misses a field, the code
 * doesn't compile.
 */
export type NoFields = Record<string, never>;

/**
 * The context of a record in the seed data: its organization, the users that it can refer to, and its path
 * for error messages.
 */
export interface SeedContext {
  state: State;
  organization: string;
  users: Lookup<UserRow>;
  path: string;
}

/** Returns the context for a record that is added to an existing organization. */
export function contextIn(state: State, { id }: OrganizationRow, path: string): SeedContext {
  const users = new Lookup<UserRow>('user');
  for (const slot of state.userOrder.slice(state.organizations.slotOf(id))) users.add(state.users.at(slot));
  return { state, organization: id, users, path };
}

/** Describes the organization for error messages. */
export const describeOrganization = ({ state, organization }: SeedContext): string =>
  `organization ${JSON.stringify((state.organizations.get(organization) as OrganizationRow).name)}`;

/**
 * Returns a record's ID from the seed data, or generates one.
 *
 * @throws SeedError if another record already has this ID
 */
export function idFor(
  state: State,
  taken: Pick<Table<unknown>, 'has'>,
  id: string | undefined,
  path: string,
): string {
  if (id === undefined) return state.newId(taken);
  if (taken.has(id)) throw new SeedError(`${path}.id`, `${JSON.stringify(id)} is taken by another record`);
  return id;
}

export function timestampsOf(
  state: State,
  {
    created_at = state.clock.iso(),
    updated_at = created_at,
  }: { created_at?: string | undefined; updated_at?: string | undefined },
): { created_at: string; updated_at: string } {
  return { created_at, updated_at };
}

/**
 * Finds the creator or author of a record. Users take precedence over credentials.
 *
 * @throws SeedError if no user or credential has this ID or name
 */
export function findActor(context: SeedContext, text: string, field: string): Actor {
  const { state, organization, users, path } = context;
  if (!users.has(text)) {
    for (const credential of state.credentials.values()) {
      const isMatch = credential.id === text || credential.name === text;
      if (isMatch && credential.organization_id === organization) return actor(credential);
    }
  }
  const { id, name } = users.find(text, `${path}.${field}`, describeOrganization(context));
  return { type: 'user', id, name };
}

/** Removes duplicate records without changing the order. */
export const uniqueById = <Item extends { id: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

/** @throws SeedError if two tags in the list have the same name or ID */
export function requireDistinctTags(tags: readonly TagSeed[], path: string): void {
  for (const field of ['id', 'name'] as const) {
    const taken = new Set<string>();
    tags.forEach(({ [field]: value }, index) => {
      if (value === undefined) return;
      if (taken.has(value)) {
        throw new SeedError(
          `${path}.tags[${index}].${field}`,
          `${JSON.stringify(value)} is taken by another tag`,
        );
      }
      taken.add(value);
    });
  }
}

/** A project's labels, and the ticket numbers and board slugs that are already taken. */
export interface ProjectContext {
  labels: Lookup<Label>;
  numbers: TakenNumbers;
  slugs: NamePool;
}

/** The project's ticket numbers. */
export interface TakenNumbers {
  has(number: number): boolean;
  add(number: number): unknown;
}

/** Finds records by ID or name. */
export class Lookup<Item extends { id: string; name: string }> {
  readonly #kind: string;
  readonly #byId = new Map<string, Item>();
  readonly #byName = new Map<string, Item[]>();

  /** @param kind what to call a record in messages, such as `user` */
  constructor(kind: string) {
    this.#kind = kind;
  }

  add(item: Item, alias = item.name): void {
    this.#byId.set(item.id, item);
    for (const name of new Set([item.name, alias])) {
      const namesakes = this.#byName.get(name);
      if (namesakes) namesakes.push(item);
      else this.#byName.set(name, [item]);
    }
  }

  /** Whether a record has this ID or name. */
  has(text: string): boolean {
    return this.#byId.has(text) || this.#byName.has(text);
  }

  /** @throws SeedError if no record has this ID or name, or if several records have this name */
  find(text: string, path: string, owner: string): Item {
    const item = this.#byId.get(text);
    if (item) return item;
    const [first, ...others] = this.#byName.get(text) ?? [];
    if (first && others.length === 0) return first;
    throw new SeedError(
      path,
      first
        ? `${others.length + 1} ${this.#kind}s are named ${JSON.stringify(text)}; use the ID`
        : `no ${this.#kind} ${JSON.stringify(text)} in ${owner}`,
    );
  }
}
