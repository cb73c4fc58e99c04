import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { limits } from '../limits.js';
import {
  type Fields,
  lenientEnum,
  nullableString,
  nullableText,
  number,
  optionalBoolean,
  type Schema,
  string,
  text,
} from './fields.js';

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
  /** The number of the project's live tickets with this tag. At least 1. */
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
