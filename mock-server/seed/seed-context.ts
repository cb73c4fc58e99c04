import type { OrganizationRow, UserRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { Table } from '../store/table.js';
import { Lookup } from './lookup.js';
import { SeedError } from './seed-error.js';
import type { TagSeed } from './world.js';

/** Where a seed's record stands: its organization, whom it can name there, and its path for messages. */
export interface SeedContext {
  state: State;
  organization: string;
  users: Lookup<UserRow>;
  path: string;
}

/** The context of a record in an organization that exists. */
export function contextIn(state: State, { id, users }: OrganizationRow, path: string): SeedContext {
  const lookup = new Lookup<UserRow>('user');
  for (const user of users) lookup.add(state.users.get(user) as UserRow);
  return { state, organization: id, users: lookup, path };
}

/** The organization in a message. */
export const describeOrganization = ({ state, organization }: SeedContext): string =>
  `organization ${JSON.stringify(state.organizations.get(organization)?.name)}`;

/** The id that was given, which must be free, or a new one. */
export function idFor(
  state: State,
  table: Pick<Table<unknown>, 'has'>,
  given: string | undefined,
  path: string,
): string {
  if (given === undefined) return state.newId(table);
  if (table.has(given))
    throw new SeedError(`${path}.id`, `${JSON.stringify(given)} is taken by another record`);
  return given;
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

/** Each record once, in order. */
export const uniqueById = <Item extends { id: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

/** @throws SeedError for a name or an id that two tags of a list have */
export function refuseRepeatedTags(tags: readonly TagSeed[], path: string): void {
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
