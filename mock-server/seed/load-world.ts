import { isObject } from '../../src/shared/json.js';
import { documentTag } from '../state/documents.js';
import { loadDump } from '../state/dump.js';
import { defaultSettings, type OrganizationRow, type ProjectRow, type SlugStyle } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { StateDump } from '../state/state-dump.js';
import { loadDocument } from './load-document.js';
import { loadCredential, loadUser, takenCredentials } from './load-people.js';
import { loadProject } from './load-project.js';
import { parseSeed, readWorld } from './read-world.js';
import {
  contextIn,
  idFor,
  Lookup,
  type NoFields,
  requireDistinctTags,
  timestampsOf,
} from './seed-context.js';
import { SeedError } from './seed-error.js';
import type { OrganizationSeed, World, WorldSettings } from './world.js';

/**
 * Loads validated seed data into an empty state.
 *
 * @throws SeedError if a referenced record doesn't exist, or if an ID, token, slug, or number is already
 * taken
 */
export function loadWorld(state: State, world: World): void {
  const { $schema: _, about: _about, organizations, settings = {}, ...rest } = world;
  rest satisfies NoFields;
  loadSettings(state, settings);
  organizations.forEach((organization, index) => {
    loadOrganization(state, organization, `organizations[${index}]`);
  });
  if (organizations.every(({ credentials }) => credentials === undefined)) addDefaultCredentials(state);
}

/** Adds an organization and everything in it. */
export function loadOrganization(state: State, seed: OrganizationSeed, path: string): OrganizationRow {
  const { id: wantedId, name, users, credentials, projects, documents, tags = [], ...times } = seed;
  const { created_at, updated_at, ...rest } = times;
  rest satisfies NoFields;
  const id = idFor(state, state.organizations, wantedId, path);
  const organization = { id, name, ...timestampsOf(state, { created_at, updated_at }) };
  state.organizations.put(id, organization);
  users?.forEach((user, index) => {
    loadUser(state, id, user, `${path}.users[${index}]`);
  });
  const taken = takenCredentials(state, id);
  credentials?.forEach((credential, index) => {
    loadCredential(state, id, credential, `${path}.credentials[${index}]`, taken);
  });
  requireDistinctTags(tags, path);
  for (const { id: tagId, name, ...rest } of tags) {
    rest satisfies NoFields;
    documentTag(state, id, name, tagId);
  }
  const context = contextIn(state, organization, path);
  const projectRows = new Lookup<ProjectRow>('project');
  projects?.forEach((project, index) => {
    const row = loadProject({ ...context, path: `${path}.projects[${index}]` }, project);
    projectRows.add(row, row.key);
  });
  documents?.forEach((document, index) => {
    loadDocument({ ...context, path: `${path}.documents[${index}]` }, document, projectRows);
  });
  return organization;
}

/** Adds a credential with every scope to each organization. */
function addDefaultCredentials(state: State): void {
  [...state.organizations.values()]
    .map(({ id }) => id)
    .forEach((organization, index) => {
      const suffix = index === 0 ? '' : `_${index + 1}`;
      const seed = { id: `crd_default${suffix}`, token: `wt_default${suffix}`, name: 'Default credential' };
      loadCredential(state, organization, seed, 'credential');
    });
}

function loadSettings(state: State, settings: WorldSettings): void {
  const { default_boards = [], slug_style, default_board, ...rest } = settings;
  rest satisfies NoFields;
  const slugs = default_boards.flatMap(({ slug }) => slug ?? []);
  slugs.forEach((slug, index) => {
    if (slugs.indexOf(slug) === index) return;
    throw new SeedError('settings.default_boards', `two boards have the slug ${JSON.stringify(slug)}`);
  });
  state.setSettings({
    defaultBoards: default_boards,
    slugStyle: (slug_style as SlugStyle | undefined) ?? defaultSettings.slugStyle,
    defaultBoard: default_board ?? null,
  });
}

/**
 * Loads seed data or an exported state into an empty state. Only exported states have a `format` field.
 *
 * @throws SeedError if the seed data is invalid
 * @throws TypeError if the exported state is invalid
 */
export function loadData(state: State, data: World | StateDump | string): void {
  const isJson = typeof data === 'string';
  const value: unknown = isJson ? parseSeed(data) : data;
  if (!isObject(value) || !Object.hasOwn(value, 'format')) {
    loadWorld(state, readWorld(value as World));
    return;
  }
  // Copy the caller's object so that later changes to it don't affect the state.
  loadDump(state, (isJson ? value : structuredClone(value)) as unknown as StateDump);
}
