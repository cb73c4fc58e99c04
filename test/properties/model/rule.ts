import type { OperationId } from 'worktrack/contract';
import type { Json } from '../../rules/requests.js';
import type {
  Credential,
  Fields,
  Model,
  ModelBoard,
  ModelOrganization,
  ModelProject,
  User,
} from './state.js';

/** A rule's input, after the credential and payload checks. */
export interface ModelCall {
  model: Model;
  credential: Credential;
  organization: ModelOrganization;
  ids: { project: string; board: string; ticket: string; document: string };
  query: Readonly<Record<string, string>>;
  body: Json;
  /** The server's response. The model uses only the IDs. */
  actual: Fields & { tags?: { id: string; name: string }[]; notification_ids?: string[] };
}

export type ModelRule = (call: ModelCall) => unknown;
export type ModelRules = Partial<Record<OperationId, ModelRule>>;
export type ModelRulesOf<Prefix extends string> = Pick<
  ModelRules,
  Extract<OperationId, `${Prefix}.${string}`>
>;

/** An error with the codes of all rules that a request violates. */
export class Rejected extends Error {
  readonly codes: readonly string[];

  constructor(codes: readonly string[]) {
    super(codes.join(', '));
    this.codes = codes;
  }
}

/** Throws a single error that lists the code of every condition that's true. */
export function rejectIf(conditions: Readonly<Record<string, boolean>>): void {
  const codes = Object.keys(conditions).filter((code) => conditions[code]);
  if (codes.length > 0) throw new Rejected(codes);
}

export const instant = (model: Model): string => new Date(model.now).toISOString();

export const actorOf = ({ id, name }: Credential) => ({ type: 'api_credential', id, name });

export const once = <Item>(items: readonly Item[]): Item[] =>
  items.filter((item, at) => items.indexOf(item) === at);

export const referTo = (users: readonly User[], ids: readonly string[]) =>
  once(ids).map((id) => ({ id, name: users.find((user) => user.id === id)?.name }));

/** Sets the defined fields, and updates `updated_at` if a value changes. */
export function change(model: Model, fields: Fields, values: Readonly<Record<string, unknown>>): void {
  const changed = Object.entries(values).filter(
    ([name, value]) => value !== undefined && JSON.stringify(fields[name]) !== JSON.stringify(value),
  );
  if (changed.length === 0) return;
  Object.assign(fields, Object.fromEntries(changed), { updated_at: instant(model) });
}

/** Returns the new `archived_at`. Archiving an archived record doesn't change the value. */
export const archivedAt = (model: Model, fields: Fields, archived: boolean | undefined) =>
  archived === undefined ? undefined : archived ? (fields.archived_at ?? instant(model)) : null;

export const liveBoard = (model: Model, project: string, id: string): ModelBoard | undefined => {
  const board = model.boards.get(id);
  return board && !board.deleted && board.fields.project_id === project ? board : undefined;
};

export const projectOf = (model: Model, id: string): ModelProject => {
  const project = model.projects.get(id);
  if (!project) throw new Error(`the model has no project ${id}`);
  return project;
};

/** Returns the users who can see a project: its members and the organization's owners and admins. */
export const membersOf = ({ users }: ModelOrganization, { members }: ModelProject): User[] =>
  users.filter(({ id, role }) => members.includes(id) || role !== 'member');

export const sameItems = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && [...some].sort().join('\n') === [...others].sort().join('\n');

/** Returns whether plain text, or HTML without its markup, contains `q`. */
export const matches = (q: string | undefined, plain: readonly unknown[], html: unknown): boolean =>
  [...plain, `${html ?? ''}`.replace(/<[^>]*>/g, '')].some((text) =>
    `${text ?? ''}`.toLowerCase().includes((q ?? '').toLowerCase()),
  );

/** Returns a page of a list with its page info. */
export function page(items: readonly unknown[], query: Readonly<Record<string, string>>) {
  const current_page = Number(query.page ?? 1);
  const per_page = Number(query.per_page ?? 50);
  const from = (current_page - 1) * per_page;
  const data = items.slice(from, from + per_page);
  return {
    data,
    current_page,
    per_page,
    total: items.length,
    last_page: Math.max(1, Math.ceil(items.length / per_page)),
    from: data.length > 0 ? from + 1 : null,
    to: data.length > 0 ? from + data.length : null,
  };
}
