import * as z from 'zod/mini';
import {
  boolean,
  type Fields,
  lenientEnum,
  nullableString,
  nullableText,
  number,
  optionalBoolean,
  string,
  text,
} from './fields.js';
import { lazy } from './lazy.js';
import { limits } from './limits.js';
import { list, operation } from './operation.js';
import { listOf, type Schema } from './zod-internals.js';

/** A project, which has boards, tickets, labels, members, and tags. */
export interface Project {
  id: string;
  organization_id: string;
  name: string;
  key: string;
  description: string | null;
  /** When the project was archived, or null if it isn't archived. */
  archived_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A user who can see a project: a project member, or an owner or admin of the organization. */
export interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
}

/** A user's role in the organization. */
export type Role = (typeof roles)[number];
export const roles = ['owner', 'admin', 'member'] as const;

/** A project label. */
export interface Label {
  id: string;
  name: string;
  color: string | null;
}

/** A tag assigned to at least one of a project's tickets. */
export interface Tag {
  id: string;
  name: string;
  /** The number of live tickets in the project that have this tag. At least 1. */
  ticket_count: number;
}

export interface CreateProject {
  /** At most 180 characters. */
  name: string;
  /** At most 12 characters. The key can't be changed later. */
  key: string;
  /** At most 5,000 characters. */
  description?: string | null | undefined;
}

export interface UpdateProject {
  /** At most 180 characters. */
  name?: string | undefined;
  /** At most 5,000 characters; null removes the description. */
  description?: string | null | undefined;
  /** Whether the project is archived. Archived projects still appear in lists. */
  archived?: boolean | undefined;
}

export const project = lazy<Schema<Project>>(() =>
  z.looseObject({
    id: string(),
    organization_id: string(),
    name: string(),
    key: string(),
    description: nullableString(),
    archived_at: nullableString(),
    created_at: string(),
    updated_at: string(),
  }),
);

export const member = lazy<Schema<Member>>(() =>
  z.looseObject({
    id: string(),
    name: string(),
    email: string(),
    role: lenientEnum<Role>(),
  }),
);

export const label = lazy<Schema<Label>>(() =>
  z.looseObject({
    id: string(),
    name: string(),
    color: nullableString(),
  }),
);

export const tag = lazy<Schema<Tag>>(() =>
  z.looseObject({
    id: string(),
    name: string(),
    ticket_count: number(),
  }),
);

export const createProject = lazy<Schema<CreateProject>>(() =>
  z.strictObject({
    name: text(limits.project.name),
    key: text(limits.project.key),
    description: z.optional(nullableText(limits.project.description)),
  } satisfies Fields<CreateProject>),
);

export const updateProject = lazy<Schema<UpdateProject>>(() =>
  z.strictObject({
    name: z.optional(text(limits.project.name)),
    description: z.optional(nullableText(limits.project.description)),
    archived: optionalBoolean(),
  } satisfies Fields<UpdateProject>),
);

/** Statistics about a project's live tickets. */
export interface Analytics {
  total: number;
  /** The number of tickets on done boards. */
  done: number;
  /** The number of tickets on other boards. */
  open: number;
  /** The number of open tickets past their due date. */
  overdue: number;
  /** The percentage of tickets that are done, as an integer from 0 to 100 (0 for an empty project). */
  completion_percentage: number;
  /** The ticket count for each live board, in board order. */
  by_board: BoardAnalytics[];
}

/** A board's ticket count in {@link Analytics}. */
export interface BoardAnalytics {
  board_id: string;
  board_name: string;
  /** The number of live tickets on the board. */
  count: number;
  /** Whether tickets on the board are considered done. */
  done: boolean;
}

export const analytics = lazy<Schema<Analytics>>(() =>
  z.looseObject({
    total: number(),
    done: number(),
    open: number(),
    overdue: number(),
    completion_percentage: number(),
    by_board: listOf(
      z.looseObject({ board_id: string(), board_name: string(), count: number(), done: boolean() }),
    ),
  }),
);

export const projectOperations = /* @__PURE__ */ (() => ({
  'projects.list': operation({
    summary: "List the organization's projects",
    number: 2,
    method: 'GET',
    path: '/organizations/{organization}/projects',
    scope: 'projects:read',
    status: 200,
    response: list(project),
  }),
  'projects.create': operation({
    summary: 'Create a project',
    number: 3,
    method: 'POST',
    path: '/organizations/{organization}/projects',
    scope: 'projects:write',
    status: 201,
    body: createProject,
    response: project,
  }),
  'projects.get': operation({
    summary: 'Get a project',
    number: 4,
    method: 'GET',
    path: '/projects/{project}',
    scope: 'projects:read',
    status: 200,
    response: project,
  }),
  'projects.update': operation({
    summary: 'Update, archive, or unarchive a project',
    number: 5,
    method: 'PATCH',
    path: '/projects/{project}',
    scope: 'projects:write',
    status: 200,
    body: updateProject,
    response: project,
  }),
  'projects.delete': operation({
    summary: 'Delete a project, its boards, and its tickets (soft delete)',
    number: 6,
    method: 'DELETE',
    path: '/projects/{project}',
    scope: 'projects:write',
    status: 204,
  }),
  'projects.members.list': operation({
    summary: "List a project's members, including the organization's owners and admins",
    number: 7,
    method: 'GET',
    path: '/projects/{project}/members',
    scope: 'projects:read',
    status: 200,
    response: list(member),
  }),
  'projects.labels.list': operation({
    summary: "List a project's labels",
    number: 8,
    method: 'GET',
    path: '/projects/{project}/labels',
    scope: 'projects:read',
    status: 200,
    response: list(label),
  }),
  'projects.analytics.get': operation({
    summary: "Get a project's analytics",
    number: 17,
    method: 'GET',
    path: '/projects/{project}/analytics',
    scope: 'analytics:read',
    status: 200,
    response: analytics,
  }),
  'projects.tags.list': operation({
    summary: "List the tags on a project's tickets, with ticket counts",
    number: 30,
    method: 'GET',
    path: '/projects/{project}/tags',
    scope: 'projects:read',
    status: 200,
    response: list(tag),
  }),
}))();
