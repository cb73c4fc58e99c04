import type {
  Analytics,
  CreateProject,
  Label,
  Member,
  Project,
  Tag,
  UpdateProject,
} from '../contract/index.js';
import { Resource } from '../http/operation-client.js';
import type { ApiPromise } from '../http/read-response.js';
import type { CallOptions } from '../options.js';

/** The organization's projects. */
export class Projects extends Resource {
  /** Users who can see a project. */
  readonly members = new ProjectMembers(this.operations);
  /** Project labels. */
  readonly labels = new ProjectLabels(this.operations);
  /** Tags on a project's tickets. */
  readonly tags = new ProjectTags(this.operations);
  /** Project analytics. */
  readonly analytics = new ProjectAnalytics(this.operations);

  /** Lists the organization's projects. Requires the `projects:read` scope. */
  list(options?: CallOptions): ApiPromise<Project[]> {
    return this.operations.call('projects.list', {}, options);
  }

  /**
   * Creates a project in the organization. Requires the `projects:write` scope.
   *
   * @param body the name (up to 180 characters), the key (up to 12), and the description (up to 5,000)
   *
   * @example
   * ```ts
   * const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
   * ```
   */
  create(body: CreateProject, options?: CallOptions): ApiPromise<Project> {
    return this.operations.call('projects.create', { body }, options);
  }

  /** Gets a project. Requires the `projects:read` scope. */
  get(project: string, options?: CallOptions): ApiPromise<Project> {
    return this.operations.call('projects.get', { params: { project } }, options);
  }

  /**
   * Updates, archives, or unarchives a project. Omitted fields don't change. Requires the `projects:write`
   * scope.
   */
  update(project: string, body: UpdateProject, options?: CallOptions): ApiPromise<Project> {
    return this.operations.call('projects.update', { params: { project }, body }, options);
  }

  /** Deletes a project, its boards, and its tickets (soft delete). Requires the `projects:write` scope. */
  delete(project: string, options?: CallOptions): ApiPromise<undefined> {
    return this.operations.call('projects.delete', { params: { project } }, options);
  }
}

/** Project members. */
export class ProjectMembers extends Resource {
  /**
   * Lists a project's members, including the organization's owners and admins. Requires the `projects:read`
   * scope.
   */
  list(project: string, options?: CallOptions): ApiPromise<Member[]> {
    return this.operations.call('projects.members.list', { params: { project } }, options);
  }
}

/** Project labels. */
export class ProjectLabels extends Resource {
  /** Lists a project's labels. Requires the `projects:read` scope. */
  list(project: string, options?: CallOptions): ApiPromise<Label[]> {
    return this.operations.call('projects.labels.list', { params: { project } }, options);
  }
}

/** Tags on a project's tickets. */
export class ProjectTags extends Resource {
  /** Lists the tags on a project's tickets. Requires the `projects:read` scope. */
  list(project: string, options?: CallOptions): ApiPromise<Tag[]> {
    return this.operations.call('projects.tags.list', { params: { project } }, options);
  }
}

/** Project analytics. */
export class ProjectAnalytics extends Resource {
  /**
   * Gets a project's ticket counts: total, done, open, overdue, and per board. Requires the `analytics:read`
   * scope.
   */
  get(project: string, options?: CallOptions): ApiPromise<Analytics> {
    return this.operations.call('projects.analytics.get', { params: { project } }, options);
  }
}
