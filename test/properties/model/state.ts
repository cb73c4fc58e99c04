import type { World } from 'worktrack/mock-server';

/** The fields of a record in a response. */
export type Fields = Record<string, unknown> & { id: string };

export interface User {
  id: string;
  name: string;
  email: string;
  role: string;
}

export interface Credential {
  id: string;
  token: string;
  name: string;
  organization: string;
  scopes: readonly string[];
}

export interface ModelOrganization {
  fields: Fields;
  users: User[];
  /** Document tag IDs, keyed by name. */
  tags: Map<string, string>;
}

export interface ModelProject {
  fields: Fields;
  members: readonly string[];
  labels: { id: string; name: string; color: string | null }[];
  /** The IDs of live boards in order. */
  boards: string[];
  lastNumber: number;
  deleted: boolean;
}

export interface ModelBoard {
  /** All fields except the position, which is the index in the project's list. */
  fields: Fields & { project_id: string; slug: string; wip_limit: number | null; is_done: boolean };
  /** The IDs of live tickets in order. */
  tickets: string[];
  deleted: boolean;
}

export interface ModelTicket {
  /** All fields except the position, which is the index in the board's list. */
  fields: Fields & { board_id: string; due_at: string | null; started_at: string | null };
  deleted: boolean;
}

export interface ModelDocument {
  fields: Fields & { organization_id: string; status: string };
  deleted: boolean;
}

/** The model's state. Map entries are in creation order. */
export interface Model {
  now: number;
  credentials: Credential[];
  organizations: Map<string, ModelOrganization>;
  projects: Map<string, ModelProject>;
  boards: Map<string, ModelBoard>;
  tickets: Map<string, ModelTicket>;
  documents: Map<string, ModelDocument>;
}

/** Creates a model from seed data, which must contain all IDs. */
export function modelOf({ organizations }: World, now: string): Model {
  const model: Model = {
    now: Date.parse(now),
    credentials: [],
    organizations: new Map(),
    projects: new Map(),
    boards: new Map(),
    tickets: new Map(),
    documents: new Map(),
  };
  const times = { created_at: now, updated_at: now };
  for (const organization of organizations) {
    const id = organization.id as string;
    const users = (organization.users ?? []) as User[];
    const tags = new Map((organization.tags ?? []).map((tag) => [tag.name, tag.id as string]));
    model.organizations.set(id, { fields: { id, name: organization.name, ...times }, users, tags });
    for (const credential of organization.credentials ?? []) {
      model.credentials.push({ ...(credential as Omit<Credential, 'organization'>), organization: id });
    }
    for (const project of organization.projects ?? []) addProject(model, id, project, times);
    for (const document of organization.documents ?? []) {
      model.documents.set(document.id as string, {
        deleted: false,
        fields: {
          id: document.id as string,
          organization_id: id,
          project_id: document.project ?? null,
          author_id: null,
          author: null,
          api_credential_id: null,
          title: document.title,
          caption: document.caption ?? null,
          content_html: document.content_html ?? null,
          status: 'draft',
          tags: (document.tags ?? []).map((name) => ({ id: tags.get(name), name })),
          editors: [],
          published_at: null,
          archived_at: null,
          ...times,
        },
      });
    }
  }
  return model;
}

type ProjectSeed = NonNullable<World['organizations'][number]['projects']>[number];

function addProject(model: Model, organization: string, seed: ProjectSeed, times: object): void {
  const id = seed.id as string;
  const project: ModelProject = {
    fields: {
      id,
      organization_id: organization,
      name: seed.name,
      key: seed.key,
      description: null,
      archived_at: null,
      ...times,
    },
    members: seed.members ?? [],
    labels: (seed.labels ?? []).map((label) => ({ id: label.id as string, name: label.name, color: null })),
    boards: (seed.boards ?? []).map((board) => board.id as string),
    lastNumber: 0,
    deleted: false,
  };
  model.projects.set(id, project);
  for (const board of seed.boards ?? []) {
    model.boards.set(board.id as string, {
      deleted: false,
      tickets: (board.tickets ?? []).map((ticket) => ticket.id as string),
      fields: {
        id: board.id as string,
        project_id: id,
        name: board.name,
        slug: board.slug as string,
        color: null,
        wip_limit: board.wip_limit ?? null,
        is_done: board.is_done ?? false,
        is_hidden: false,
        ...times,
      },
    });
    for (const ticket of board.tickets ?? []) {
      project.lastNumber += 1;
      model.tickets.set(ticket.id as string, {
        deleted: false,
        fields: {
          id: ticket.id as string,
          project_id: id,
          board_id: board.id as string,
          number: project.lastNumber,
          title: ticket.title,
          description_html: null,
          priority: 'normal',
          due_at: null,
          started_at: null,
          completed_at: board.is_done ? (times as { created_at: string }).created_at : null,
          api_credential_id: null,
          creator: null,
          assignees: [],
          labels: [],
          tags: (ticket.tags ?? []).map((name) => ({
            id: seed.tags?.find((tag) => tag.name === name)?.id,
            name,
          })),
          archived_at: null,
          ...times,
        },
      });
    }
  }
}
