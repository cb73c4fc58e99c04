import { type Scope, scopes } from '../../src/contract/index.js';
import { slugOf } from '../state/boards.js';
import { documentTag, putDocument } from '../state/documents.js';
import type { OrganizationRow, UserRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { Table } from '../state/table.js';
import { loadProject } from './load-project.js';
import { Lookup } from './lookup.js';
import { SeedError } from './seed-error.js';
import type { CredentialSeed, DocumentSeed, OrganizationSeed, UserSeed, World } from './world.js';

/**
 * Puts a world that has been read into an empty state.
 *
 * @throws SeedError for a relation that names nothing and for an id, token, slug or number that is taken
 */
export function loadWorld(state: State, { organizations }: World): void {
  organizations.forEach((organization, index) => {
    loadOrganization(state, organization, `organizations[${index}]`);
  });
}

/** What a seed's records have in common: where they stand, and whom they can name. */
export interface Place {
  state: State;
  organization: OrganizationRow;
  users: Lookup<UserRow>;
  path: string;
}

/** The id that was given, which must be free, or a new one. */
export function idFor(state: State, table: Table<unknown>, given: string | undefined, path: string): string {
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

function loadOrganization(state: State, seed: OrganizationSeed, path: string): void {
  const id = idFor(state, state.organizations, seed.id, path);
  const users = new Lookup<UserRow>('user');
  const rows = (seed.users ?? []).map((user, index) => loadUser(state, id, user, `${path}.users[${index}]`));
  for (const user of rows) users.add(user);
  const organization: OrganizationRow = {
    id,
    name: seed.name,
    ...timestampsOf(state, seed),
    users: rows.map((user) => user.id),
  };
  state.organizations.put(id, organization);
  seed.credentials?.forEach((credential, index) => {
    loadCredential(state, id, credential, `${path}.credentials[${index}]`);
  });
  for (const tag of seed.tags ?? []) documentTag(state, id, tag.name, tag.id);
  const projects = new Lookup<{ id: string; name: string }>('project');
  seed.projects?.forEach((project, index) => {
    const row = loadProject({ state, organization, users, path: `${path}.projects[${index}]` }, project);
    projects.add(row, row.key);
  });
  seed.documents?.forEach((document, index) => {
    loadDocument({ state, organization, users, path: `${path}.documents[${index}]` }, document, projects);
  });
}

function loadUser(state: State, organization_id: string, seed: UserSeed, path: string): UserRow {
  const { name, email = `${slugOf(name) || 'user'}@example.com`, role = 'member' } = seed;
  const user = { id: idFor(state, state.users, seed.id, path), organization_id, name, email, role };
  state.users.put(user.id, user);
  return user;
}

function loadCredential(state: State, organization_id: string, seed: CredentialSeed, path: string): void {
  const { token, name = token } = seed;
  if (state.credentials.has(token)) {
    throw new SeedError(`${path}.token`, `${JSON.stringify(token)} is taken by another credential`);
  }
  const ids = new Set([...state.credentials.values()].map(({ id }) => id));
  if (seed.id !== undefined && ids.has(seed.id)) {
    throw new SeedError(`${path}.id`, `${JSON.stringify(seed.id)} is taken by another credential`);
  }
  const id = seed.id ?? state.newId(ids);
  state.credentials.put(token, { id, organization_id, token, name, scopes: scopesOf(seed.scopes) });
}

/** The scopes that a list stands for; `'*'` stands for all. */
export function scopesOf(given: readonly (Scope | '*')[] = ['*']): ReadonlySet<Scope> {
  return new Set(given.flatMap((scope) => (scope === '*' ? scopes : [scope])));
}

function loadDocument(
  { state, organization, users, path }: Place,
  seed: DocumentSeed,
  projects: Lookup<{ id: string; name: string }>,
): void {
  const whose = `organization ${JSON.stringify(organization.name)}`;
  const times = timestampsOf(state, seed);
  const user = (text: string, field: string) => {
    const { id, name } = users.find(text, `${path}.${field}`, whose);
    return { id, name };
  };
  const author = typeof seed.author === 'string' ? user(seed.author, 'author') : null;
  const status = seed.status ?? 'draft';
  putDocument(state, {
    id: idFor(state, state.documents, seed.id, path),
    organization_id: organization.id,
    project_id:
      typeof seed.project === 'string' ? projects.find(seed.project, `${path}.project`, whose).id : null,
    author_id: author?.id ?? null,
    author: author && { type: 'user', ...author },
    api_credential_id: null,
    title: seed.title,
    caption: seed.caption ?? null,
    content_html: seed.content_html ?? null,
    status,
    tags: [...new Set(seed.tags ?? [])].map((name) => documentTag(state, organization.id, name)),
    editors: uniqueById((seed.editors ?? []).map((text, index) => user(text, `editors[${index}]`))),
    published_at: status === 'published' ? (seed.published_at ?? times.created_at) : null,
    archived_at: seed.archived_at ?? null,
    ...times,
    deleted_at: null,
    ordinal: state.nextOrdinal(),
  });
}

/** Each record once, in order. */
export const uniqueById = <Item extends { id: string }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];
