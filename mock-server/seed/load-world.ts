import { documentTag } from '../state/documents.js';
import type { OrganizationRow, ProjectRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { loadDocument } from './load-document.js';
import { loadCredential, loadUser } from './load-people.js';
import { loadProject } from './load-project.js';
import { Lookup } from './lookup.js';
import { contextIn, idFor, refuseRepeatedTags, timestampsOf } from './seed-context.js';
import type { OrganizationSeed, World } from './world.js';

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

/** Puts an organization into the state, with everything that lies in it. */
export function loadOrganization(state: State, seed: OrganizationSeed, path: string): OrganizationRow {
  const id = idFor(state, state.organizations, seed.id, path);
  state.organizations.put(id, { id, name: seed.name, ...timestampsOf(state, seed), users: [] });
  seed.users?.forEach((user, index) => {
    loadUser(state, id, user, `${path}.users[${index}]`);
  });
  const organization = state.organizations.get(id) as OrganizationRow;
  seed.credentials?.forEach((credential, index) => {
    loadCredential(state, id, credential, `${path}.credentials[${index}]`);
  });
  refuseRepeatedTags(seed.tags ?? [], path);
  for (const tag of seed.tags ?? []) documentTag(state, id, tag.name, tag.id);
  const context = contextIn(state, organization, path);
  const projects = new Lookup<ProjectRow>('project');
  seed.projects?.forEach((project, index) => {
    const row = loadProject({ ...context, path: `${path}.projects[${index}]` }, project);
    projects.add(row, row.key);
  });
  seed.documents?.forEach((document, index) => {
    loadDocument({ ...context, path: `${path}.documents[${index}]` }, document, projects);
  });
  return organization;
}
