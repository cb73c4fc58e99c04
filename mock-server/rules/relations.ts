import type { Label, Reference } from '../../src/contract/index.js';
import { inQuotes } from '../../src/shared/quote.js';
import type { ProjectRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { FieldErrorList } from './rejected-request.js';

/** Finds the records that a request refers to, and reports all invalid IDs in one error response. */
export class Relations {
  readonly #errors = new FieldErrorList();

  /** Finds users who can see the project: its members, and the organization's owners and admins. */
  assignees(state: State, project: ProjectRow, ids: readonly string[] | undefined): Reference[] | undefined {
    return this.#list('assignee_ids', ids, 'is not a member of this project', (id) =>
      canSee(state, project, id) ? reference(state, id) : undefined,
    );
  }

  labels(project: ProjectRow, ids: readonly string[] | undefined): Label[] | undefined {
    if (!ids) return undefined;
    const labels = new Map(project.labels.map((label) => [label.id, label]));
    return this.#list('label_ids', ids, 'is not a label in this project', (id) => labels.get(id));
  }

  /** Finds users in the organization. */
  editors(state: State, organization: string, ids: readonly string[] | undefined): Reference[] | undefined {
    return this.#list('editor_ids', ids, 'is not a user in this organization', (id) =>
      state.users.get(id)?.organization_id === organization ? reference(state, id) : undefined,
    );
  }

  /** Checks that the project, if one is set, is a live project in the organization. */
  project(state: State, organization: string, id: string | null | undefined): void {
    if (id === undefined || id === null) return;
    const project = state.projects.get(id);
    if (!project || project.deleted_at !== null || project.organization_id !== organization) {
      this.#errors.add('project_id', `${inQuotes(id)} is not a project in this organization`);
    }
  }

  /** @throws RejectedRequest `invalid_relation` if any ID is invalid */
  check(): void {
    this.#errors.throwIfAny('invalid_relation');
  }

  /** Returns the records with these IDs, without duplicates. */
  #list<Item>(
    field: string,
    ids: readonly string[] | undefined,
    problem: string,
    find: (id: string) => Item | undefined,
  ): Item[] | undefined {
    if (!ids) return undefined;
    const found = new Map<string, Item | undefined>();
    ids.forEach((id, index) => {
      if (!found.has(id)) found.set(id, find(id));
      if (found.get(id) === undefined) this.#errors.addItem(field, index, `${inQuotes(id)} ${problem}`);
    });
    return [...found.values()].filter((item) => item !== undefined);
  }
}

/**
 * Returns whether a user can see a project, either as a member or as an owner or admin of the organization.
 */
export function canSee(state: State, project: ProjectRow, userId: string): boolean {
  const user = state.users.get(userId);
  if (user?.organization_id !== project.organization_id) return false;
  return project.members.has(userId) || user.role === 'owner' || user.role === 'admin';
}

function reference(state: State, userId: string): Reference | undefined {
  const user = state.users.get(userId);
  return user && { id: user.id, name: user.name };
}
