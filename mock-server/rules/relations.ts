import type { FieldErrors, Label, Reference } from '../../src/contract/index.js';
import type { ProjectRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { unique } from './changes.js';
import { invalidFields } from './error-response.js';

/**
 * Collects the records that a request's lists of ids name, and what is wrong with them, so that
 * one refusal tells everything.
 */
export class Relations {
  readonly #errors: FieldErrors = {};

  /** Users who can see the project: its members, and the organization's owners and admins. */
  assignees(state: State, project: ProjectRow, ids: readonly string[] | undefined): Reference[] | undefined {
    return this.list('assignee_ids', ids, 'is no user who can see this project', (id) =>
      canSee(state, project, id) ? reference(state, id) : undefined,
    );
  }

  labels(project: ProjectRow, ids: readonly string[] | undefined): Label[] | undefined {
    return this.list('label_ids', ids, 'is no label of this project', (id) =>
      project.labels.find((label) => label.id === id),
    );
  }

  /** Users of the organization. */
  editors(state: State, organization: string, ids: readonly string[] | undefined): Reference[] | undefined {
    return this.list('editor_ids', ids, 'is no user of this organization', (id) =>
      state.users.get(id)?.organization_id === organization ? reference(state, id) : undefined,
    );
  }

  /** A live project of the organization, or none. */
  project(state: State, organization: string, id: string | null | undefined): void {
    if (id === undefined || id === null) return;
    const project = state.projects.get(id);
    if (!project || project.deleted_at !== null || project.organization_id !== organization) {
      this.#errors.project_id = [`names no project of this organization: ${JSON.stringify(id)}`];
    }
  }

  /** @throws ErrorResponse `invalid_relation`, naming every entry that does not fit */
  check(): void {
    if (Object.keys(this.#errors).length > 0) throw invalidFields('invalid_relation', this.#errors);
  }

  private list<Item>(
    field: string,
    ids: readonly string[] | undefined,
    wrong: string,
    find: (id: string) => Item | undefined,
  ): Item[] | undefined {
    if (!ids) return undefined;
    ids.forEach((id, index) => {
      if (!find(id)) this.#errors[`${field}.${index}`] = [`${JSON.stringify(id)} ${wrong}`];
    });
    return unique(ids).flatMap((id) => find(id) ?? []);
  }
}

/** Whether a user sees a project: an explicit member, or an owner or admin of its organization. */
export function canSee(state: State, project: ProjectRow, userId: string): boolean {
  const user = state.users.get(userId);
  if (user?.organization_id !== project.organization_id) return false;
  return project.members.has(userId) || user.role === 'owner' || user.role === 'admin';
}

function reference(state: State, userId: string): Reference | undefined {
  const user = state.users.get(userId);
  return user && { id: user.id, name: user.name };
}
