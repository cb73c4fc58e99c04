import {
  type Actor,
  type Board,
  type Document,
  documentStatuses,
  type Label,
  limits,
  type Member,
  type Organization,
  type Project,
  priorities,
  type Reference,
  roles,
  type Ticket,
} from '../../../src/contract/index.js';
import { isObject } from '../../../src/shared/json.js';
import { by } from '../../shared/lists.js';
import type { KeptKind } from './options.js';
import { DistinctNames, type IdKind, type Redaction } from './redaction.js';
import type {
  PulledBoard,
  PulledCredential,
  PulledDocument,
  PulledOrganization,
  PulledProject,
  PulledTicket,
  PulledUser,
} from './world.js';

/**
 * Converts records to redacted seed data, and collects the users and credentials that they refer to. Drops
 * unknown fields. Accepts missing fields and values that exceed a limit, because only the mock server loads
 * the data.
 */
export class Converter {
  readonly #redaction: Redaction;
  readonly #users = new Map<string, PulledUser>();
  readonly #credentials = new Map<string, PulledCredential>();
  readonly #userNames = new DistinctNames();
  readonly #emails = new DistinctNames();
  readonly #keys = new DistinctNames();
  readonly documentTags: Tags;

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
    this.documentTags = new Tags(redaction);
  }

  organization(record: Organization): Omit<PulledOrganization, 'users' | 'projects' | 'tags' | 'documents'> {
    return {
      id: this.id('organization', record.id),
      name: this.#text('projects', record.name) ?? '',
      ...this.#timestamps(record),
    };
  }

  project(record: Project): Omit<PulledProject, 'members' | 'labels' | 'tags' | 'boards'> {
    const { name, key, description } = limits.project;
    return {
      id: this.id('project', record.id),
      name: this.#text('projects', record.name, name) ?? '',
      key:
        typeof record.key === 'string'
          ? this.#keys.replace(record.key, (attempt) => this.#redaction.projectKey(record.key, key, attempt))
          : undefined,
      description: this.#text('texts', record.description, description),
      archived_at: this.#redaction.date(record.archived_at),
      ...this.#timestamps(record),
    };
  }

  label({ id, name, color }: Label): Label {
    return {
      id: this.id('label', id),
      name: this.#text('labels', name) ?? '',
      color: this.#redaction.color(color, limits.board.color),
    };
  }

  /** @param slugs the slugs of the project's other boards */
  board(record: Board, slugs: DistinctNames): Omit<PulledBoard, 'tickets'> {
    const { slug, wip_limit } = record;
    return {
      id: this.id('board', record.id),
      name: this.#text('boards', record.name, limits.board.name) ?? '',
      slug:
        typeof slug === 'string'
          ? slugs.replace(slug, (attempt) => this.#redaction.text('boards', slug, undefined, attempt))
          : undefined,
      color: this.#redaction.color(record.color, limits.board.color),
      wip_limit: isPositiveInteger(wip_limit) ? wip_limit : null,
      is_done: record.is_done === true,
      is_hidden: record.is_hidden === true,
      ...this.#timestamps(record),
    };
  }

  ticket(record: Ticket, tags: Tags): PulledTicket {
    const { title, description_html } = limits.ticket;
    return {
      id: this.id('ticket', record.id),
      title: this.#text('titles', record.title, title) ?? '',
      number: isPositiveInteger(record.number) ? record.number : undefined,
      description_html: this.#text('texts', record.description_html, description_html),
      priority: oneOf(priorities, record.priority) ?? 'normal',
      due_at: this.#redaction.date(record.due_at),
      started_at: this.#redaction.date(record.started_at),
      completed_at: this.#redaction.date(record.completed_at),
      archived_at: this.#redaction.date(record.archived_at),
      creator: this.#actor(record.creator),
      assignees: this.users(record.assignees),
      labels: listOf(record.labels).map(({ id }) => this.id('label', id)),
      tags: listOf(record.tags).map((tag) => tags.add(tag)),
      ...this.#timestamps(record),
    };
  }

  /**
   * @param projects the IDs of the pulled projects. Documents in other projects become documents without a
   * project.
   */
  document(record: Document, projects: ReadonlySet<string>): PulledDocument {
    const { title, caption, content_html, editor_ids, tag_names } = limits.document;
    const status = oneOf(documentStatuses, record.status) ?? 'draft';
    const { project_id } = record;
    return {
      id: this.id('document', record.id),
      title: this.#text('titles', record.title, title) ?? '',
      project: project_id && projects.has(project_id) ? this.id('project', project_id) : null,
      caption: this.#text('texts', record.caption, caption),
      content_html: this.#text('texts', record.content_html, content_html),
      status,
      author: this.#actor(record.author),
      editors: this.users(listOf(record.editors).slice(0, editor_ids)),
      tags: listOf(record.tags)
        .slice(0, tag_names)
        .map((tag) => this.documentTags.add(tag)),
      published_at: status === 'published' ? this.#redaction.date(record.published_at) : null,
      archived_at: this.#redaction.date(record.archived_at),
      ...this.#timestamps(record),
    };
  }

  /**
   * Adds users to the organization. Members have an email address and a role, but users who are only
   * referenced may not.
   */
  users(records: readonly (Member | Reference)[] | undefined): string[] {
    return listOf(records).map((record) => {
      const id = this.id('user', record.id);
      const { email, role } = record as Partial<Member>;
      const known = this.#users.get(id);
      this.#users.set(id, {
        id,
        name: known?.name ?? this.#nameOf(record),
        email: known?.email ?? this.#emailOf(email),
        role: oneOf(roles, role) ?? known?.role ?? 'member',
      });
      return id;
    });
  }

  /** @param order the IDs of the users to put first */
  allUsers(order: readonly string[]): PulledUser[] {
    const ids = new Set([...order, ...[...this.#users.keys()].sort()]);
    return [...ids].map((id) => this.#users.get(id) as PulledUser);
  }

  /**
   * Returns a default credential followed by the credentials that created records. Returns undefined if no
   * credential created any.
   */
  credentials(): PulledCredential[] | undefined {
    if (this.#credentials.size === 0) return undefined;
    const usable = { id: 'crd_default', token: 'wt_default', name: 'Default credential', scopes: ['*'] };
    const others = [...this.#credentials.values()].sort(by(({ id }) => id));
    const own = others.find(({ id }) => id === usable.id);
    return [
      { ...usable, name: own?.name ?? usable.name },
      ...others
        .filter((credential) => credential !== own)
        .map((credential, index) => ({ ...credential, token: `wt_pulled_${index + 1}` })),
    ];
  }

  id(kind: IdKind, id: unknown): string {
    return this.#redaction.id(kind, id);
  }

  #actor(actor: Actor | null | undefined): string | null {
    if (actor?.type === 'user') return this.users([actor])[0] as string;
    if (actor?.type !== 'api_credential') return null;
    const id = this.id('credential', actor.id);
    if (!this.#credentials.has(id)) {
      this.#credentials.set(id, { id, token: '', name: this.#nameOf(actor), scopes: [] });
    }
    return id;
  }

  #nameOf({ id, name }: Reference): string {
    const original = String(name ?? id);
    return this.#userNames.replace(original, (attempt) =>
      this.#redaction.text('names', original, undefined, attempt),
    );
  }

  #emailOf(email: string | undefined): string | undefined {
    if (typeof email !== 'string') return undefined;
    return this.#emails.replace(email, (attempt) => this.#redaction.email(email, attempt));
  }

  #text(kind: KeptKind, value: unknown, limit?: number): string | null {
    return typeof value === 'string' ? this.#redaction.text(kind, value, limit) : null;
  }

  #timestamps({ created_at, updated_at }: { created_at: string; updated_at: string }) {
    return {
      created_at: this.#redaction.date(created_at) ?? undefined,
      updated_at: this.#redaction.date(updated_at) ?? undefined,
    };
  }
}

/** The tags of a project's tickets or an organization's documents. Records refer to tags by name. */
export class Tags {
  readonly #redaction: Redaction;
  readonly #names = new DistinctNames();
  readonly #namesById = new Map<string, string>();
  readonly #ids = new Map<string, string>();

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** @returns the tag's name. If the tag is renamed during the pull, it keeps the name that was read first. */
  add(tag: Reference): string {
    const id = this.#redaction.id('tag', tag.id);
    const known = this.#namesById.get(id);
    if (known !== undefined) return known;
    const original = String(tag.name ?? tag.id);
    const redact = (attempt: number) =>
      this.#redaction.text('tags', original, limits.document.tag_name, attempt);
    const name = this.#names.replace(original, redact);
    this.#namesById.set(id, name);
    if (!this.#ids.has(name)) this.#ids.set(name, id);
    return name;
  }

  /** @param first the tags to put first */
  all(first: readonly Reference[] = []): Reference[] {
    const names = new Set([...first.map((tag) => this.add(tag)), ...[...this.#ids.keys()].sort()]);
    return [...names].map((name) => ({ id: this.#ids.get(name) as string, name }));
  }
}

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((known) => known === value);

const isPositiveInteger = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0;

/** Returns the records in a list. Returns an empty list for anything else. */
export function listOf<Item extends object>(list: readonly Item[] | null | undefined): readonly Item[] {
  const items: readonly Item[] = Array.isArray(list) ? list : [];
  return items.filter(isObject);
}
