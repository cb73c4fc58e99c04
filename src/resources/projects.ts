import type {
  Analytics,
  CreateProject,
  Label,
  Member,
  Project,
  Tag,
  UpdateProject,
} from '../contract/index.js';
import type { ApiPromise } from '../http/api-promise.js';
import type { Caller } from '../http/caller.js';
import type { CallOptions } from '../options.js';
import { Resource } from './resource.js';

/** The organization's projects. */
export class Projects extends Resource {
  /** Users who can see a project. */
  readonly members: ProjectMembers;
  /** Project labels. */
  readonly labels: ProjectLabels;
  /** Tags on a project's tickets. */
  readonly tags: ProjectTags;
  /** Project analytics. */
  readonly analytics: ProjectAnalytics;

  /** @internal */
  constructor(caller: Caller) {
    super(caller);
    this.members = new ProjectMembers(caller);
    this.labels = new ProjectLabels(caller);
    this.tags = new ProjectTags(caller);
    this.analytics = new ProjectAnalytics(caller);
  }

  /** Lists the organization's projects. Scope `projects:read`. */
  list(options?: CallOptions): ApiPromise<Project[]> {
    return this.call('projects.list', {}, options);
  }

  /**
   * Creates a project in the organization. Scope `projects:write`.
   *
   * @param body the name (up to 180 characters), the key (up to 12), and the description (up to 5,000)
   *
   * @example
   * ```ts
   * const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
   * ```
   */
  create(body: CreateProject, options?: CallOptions): ApiPromise<Project> {
    return this.call('projects.create', { body }, options);
  }

  /** Gets a project. Scope `projects:read`. */
  get(project: string, options?: CallOptions): ApiPromise<Project> {
    return this.call('projects.get', { params: { project } }, options);
  }

  /** Updates, archives, or unarchives a project. Omitted fields don't change. Scope `projects:write`. */
  update(project: string, body: UpdateProject, options?: CallOptions): ApiPromise<Project> {
    return this.call('projects.update', { params: { project }, body }, options);
  }

  /** Deletes a project, its boards, and its tickets (soft delete). Scope `projects:write`. */
  delete(project: string, options?: CallOptions): ApiPromise<undefined> {
    return this.call('projects.delete', { params: { project } }, options);
  }
}

/** Project members. */
export class ProjectMembers extends Resource {
  /** Lists a project's members, including the organization's owners and admins. Scope `projects:read`. */
  list(project: string, options?: CallOptions): ApiPromise<Member[]> {
    return this.call('projects.members.list', { params: { project } }, options);
  }
}

/** Project labels. */
export class ProjectLabels extends Resource {
  /** Lists a project's labels. Scope `projects:read`. */
  list(project: string, options?: CallOptions): ApiPromise<Label[]> {
    return this.call('projects.labels.list', { params: { project } }, options);
  }
}

/** Tags on a project's tickets. */
export class ProjectTags extends Resource {
  /** Lists the tags on a project's tickets. Scope `projects:read`. */
  list(project: string, options?: CallOptions): ApiPromise<Tag[]> {
    return this.call('projects.tags.list', { params: { project } }, options);
  }
}

/** Project analytics. */
export class ProjectAnalytics extends Resource {
  /** Gets a project's ticket counts: total, done, open, overdue, and per board. Scope `analytics:read`. */
  get(project: string, options?: CallOptions): ApiPromise<Analytics> {
    return this.call('projects.analytics.get', { params: { project } }, options);
  }
}
