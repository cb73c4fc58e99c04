import { documentDefaults, ticketDefaults } from 'worktrack/contract';
import type {
  BoardSeed,
  CredentialSeed,
  DocumentSeed,
  LabelSeed,
  OrganizationSeed,
  ProjectSeed,
  StateDump,
  TicketSeed,
  UserSeed,
  World,
} from 'worktrack/mock-server';

/**
 * Converts a state to seed data for `createMockServer({ world })`. Omits comments, notifications, and deleted
 * records, because seed data can't contain them. A document in a deleted project becomes one without a project.
 *
 * @param tokenOf returns the token for a credential in the seed data. Defaults to the actual token.
 */
export function toWorld(state: StateDump, tokenOf: TokenOf = ({ token }) => token): World {
  const { settings } = state;
  return {
    ...(settings && {
      settings: {
        default_boards: settings.defaultBoards,
        slug_style: settings.slugStyle,
        default_board: settings.defaultBoard ?? undefined,
      } satisfies Complete<NonNullable<World['settings']>>,
    }),
    organizations: state.organizations.map((organization) => toOrganization(state, organization, tokenOf)),
  };
}

type TokenOf = (credential: { id: string; token: string }) => string;

type Rows<List extends keyof StateDump> = StateDump[List] extends readonly (infer Row)[] ? Row : never;

/** Seed data with every field. A field that isn't converted is a compile error. */
type Complete<Seed> = { [Field in keyof Required<Seed>]: Seed[Field] };

const isLive = ({ deleted_at }: { deleted_at: string | null }): boolean => deleted_at === null;
const idOf = ({ id }: { id: string }): string => id;
const nameOf = ({ name }: { name: string }): string => name;

function toOrganization(
  state: StateDump,
  { id, name, created_at, updated_at }: Rows<'organizations'>,
  tokenOf: TokenOf,
): Complete<OrganizationSeed> {
  const belongsToOrganization = (record: { organization_id: string }) => record.organization_id === id;
  return {
    id,
    name,
    users: state.users.filter(belongsToOrganization).map(toUser),
    credentials: state.credentials.filter(belongsToOrganization).map(
      (row): Complete<CredentialSeed> => ({
        id: row.id,
        token: tokenOf(row),
        name: row.name,
        scopes: row.scopes,
      }),
    ),
    projects: state.projects
      .filter((project) => belongsToOrganization(project) && isLive(project))
      .map((project) => toProject(state, project)),
    documents: state.documents
      .filter((document) => belongsToOrganization(document) && isLive(document))
      .sort((a, b) => a.ordinal - b.ordinal)
      .map((document) => toDocument(state, document)),
    tags: state.documentTags.filter(({ key }) => key.startsWith(`${id}\n`)).map(({ tag }) => tag),
    created_at,
    updated_at,
  };
}

const toUser = ({ id, name, email, role }: Rows<'users'>): Complete<UserSeed> => ({ id, name, email, role });

const toLabel = ({ id, name, color }: Rows<'projects'>['labels'][number]): Complete<LabelSeed> => ({
  id,
  name,
  color,
});

function toProject(state: StateDump, project: Rows<'projects'>): Complete<ProjectSeed> {
  const boards = project.boards.flatMap((id) => state.boards.filter((board) => board.id === id));
  return {
    id: project.id,
    name: project.name,
    key: project.key,
    description: project.description,
    archived_at: project.archived_at,
    members: project.members,
    labels: project.labels.map(toLabel),
    tags: project.tags,
    boards: boards.map((board) => toBoard(state, board)),
    created_at: project.created_at,
    updated_at: project.updated_at,
  };
}

const toBoard = (state: StateDump, board: Rows<'boards'>): Complete<BoardSeed> => ({
  id: board.id,
  name: board.name,
  slug: board.slug,
  color: board.color,
  wip_limit: board.wip_limit,
  is_done: board.is_done,
  is_hidden: board.is_hidden,
  tickets: state.tickets
    .filter((ticket) => ticket.board_id === board.id && isLive(ticket))
    .map((ticket) => toTicket(state, ticket)),
  created_at: board.created_at,
  updated_at: board.updated_at,
});

const toTicket = (state: StateDump, ticket: Rows<'tickets'>): Complete<TicketSeed> => ({
  id: ticket.id,
  title: ticket.title,
  number: ticket.number,
  ...pick(ticket, ticketDefaults),
  started_at: ticket.started_at,
  completed_at: ticket.completed_at,
  archived_at: ticket.archived_at,
  creator: actorOf(state, ticket.creator),
  assignees: ticket.assignees.map(idOf),
  labels: ticket.labels.map(idOf),
  tags: ticket.tags.map(nameOf),
  created_at: ticket.created_at,
  updated_at: ticket.updated_at,
});

const toDocument = (state: StateDump, document: Rows<'documents'>): Complete<DocumentSeed> => ({
  id: document.id,
  title: document.title,
  project: state.projects.find(({ id, deleted_at }) => id === document.project_id && !deleted_at)?.id ?? null,
  ...pick(document, documentDefaults),
  published_at: document.published_at,
  archived_at: document.archived_at,
  author: actorOf(state, document.author),
  editors: document.editors.map(idOf),
  tags: document.tags.map(nameOf),
  created_at: document.created_at,
  updated_at: document.updated_at,
});

/** Returns the ID of a record's creator or author, or null if the creator or author is a revoked credential. */
const actorOf = (state: StateDump, actor: Rows<'tickets'>['creator']): string | null =>
  [...state.users, ...state.credentials].find(({ id }) => id === actor?.id)?.id ?? null;

/** Returns a record's fields that have defaults. */
const pick = <Fields extends object>(record: Fields, defaults: Fields): Fields =>
  Object.fromEntries(Object.keys(defaults).map((name) => [name, record[name as keyof Fields]])) as Fields;
