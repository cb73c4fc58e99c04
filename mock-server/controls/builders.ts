import type {
  Board,
  Document,
  DocumentComment,
  Label,
  Member,
  Organization,
  Project,
  Ticket,
  TicketComment,
} from '../../src/contract/index.js';
import { viewBoard, viewDocument, viewOrganization, viewProject, viewTicket } from '../rules/views.js';
import { loadComment, loadNotification } from '../seed/load-activity.js';
import { loadDocument } from '../seed/load-document.js';
import { loadUser } from '../seed/load-people.js';
import { labelsOf, loadBoard, loadLabels, loadProject } from '../seed/load-project.js';
import { loadTicket } from '../seed/load-ticket.js';
import { loadOrganization } from '../seed/load-world.js';
import { readSeed } from '../seed/read-world.js';
import {
  contextIn,
  Lookup,
  type ProjectContext,
  type SeedContext,
  type TakenNumbers,
} from '../seed/seed-context.js';
import { SeedError } from '../seed/seed-error.js';
import type {
  BoardSeed,
  CommentSeed,
  DocumentSeed,
  LabelSeed,
  NotificationSeed,
  OrganizationSeed,
  ProjectSeed,
  TicketSeed,
  UserSeed,
} from '../seed/world.js';
import { slugsOf } from '../state/boards.js';
import { findLive, projectOf } from '../state/live.js';
import type { NotificationRow, OrganizationRow, ProjectRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { copyRecord } from './state-view.js';

/** Seed data whose name or title is optional. */
type Unnamed<Seed> = Omit<Seed, 'name' | 'title'> & { name?: string | undefined; title?: string | undefined };
type WithName<Seed> = Omit<Unnamed<Seed>, 'title'>;
type WithTitle<Seed> = Omit<Unnamed<Seed>, 'name'>;

interface InOrganization {
  /** The organization's ID or name. Optional if there is only one organization. */
  organization?: string | undefined;
}

interface InProject {
  /** The project's ID, name, or key. Optional if there is only one project. */
  project?: string | undefined;
}

interface OnBoard {
  /** The board's ID or name. Optional if there is only one board. */
  board?: string | undefined;
}

/**
 * Adds individual records to a running server. WIP limits don't apply, but fields and references to other
 * records are checked. Names and titles are optional. You can also omit the record's organization, project,
 * board, ticket, or recipient if there is only one.
 *
 * @example
 * const board = mock.add.board({ name: 'Doing', wip_limit: 1 });
 * const ticket = mock.add.ticket({ board: board.id, assignees: ['Ada'] });
 * mock.add.comment({ ticket: ticket.id, author: 'Ada' });
 */
export class Builders {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** @throws SeedError if the seed data is invalid */
  organization(seed: WithName<OrganizationSeed> = {}): Organization {
    return this.#add(
      'organization',
      this.#named(seed, 'name', 'Organization', this.#state.organizations),
      (read) => viewOrganization(loadOrganization(this.#state, read as OrganizationSeed, 'organization')),
    );
  }

  /** @throws SeedError if the seed data is invalid */
  user(seed: WithName<UserSeed> & InOrganization = {}): Member {
    return this.#add('user', this.#named(seed, 'name', 'User', this.#state.users), (read) => {
      const { organization, ...fields } = read as UserSeed & InOrganization;
      const { id } = this.#organization(organization, 'user');
      const { organization_id: _, ...member } = loadUser(this.#state, id, fields, 'user');
      return member;
    });
  }

  /** @throws SeedError if the seed data is invalid */
  label(seed: WithName<LabelSeed> & InProject = {}): Label {
    return this.#add('label', { name: 'Label', ...seed }, (read) => {
      const { project, ...fields } = read as LabelSeed & InProject;
      const { id } = this.#project(project, 'label');
      return loadLabels(this.#state, id, [fields], () => 'label')[0] as Label;
    });
  }

  /** @throws SeedError if the seed data is invalid */
  project(seed: WithName<ProjectSeed> & InOrganization = {}): Project {
    return this.#add('project', this.#named(seed, 'name', 'Project', this.#state.projects), (read) => {
      const { organization, ...fields } = read as ProjectSeed & InOrganization;
      return viewProject(loadProject(this.#contextIn(organization, 'project'), fields));
    });
  }

  /** @throws SeedError if the seed data is invalid */
  board(seed: WithName<BoardSeed> & InProject = {}): Board {
    return this.#add('board', this.#named(seed, 'name', 'Board', this.#state.boards), (read) => {
      const { project: projectName, ...fields } = read as BoardSeed & InProject;
      const project = this.#project(projectName, 'board');
      const context = this.#contextIn(project.organization_id, 'board');
      const row = loadBoard(context, project.id, fields, this.#projectContext(project));
      return viewBoard(row, project.boards.length);
    });
  }

  /** @throws SeedError if the seed data is invalid */
  ticket(seed: WithTitle<TicketSeed> & OnBoard = {}): Ticket {
    return this.#add('ticket', this.#named(seed, 'title', 'Ticket', this.#state.tickets), (read) => {
      const { board: boardName, ...fields } = read as TicketSeed & OnBoard;
      const board = this.#only('board', this.#live('board', this.#state.boards), boardName, 'ticket');
      const project = projectOf(this.#state, board);
      const context = this.#contextIn(project.organization_id, 'ticket');
      return viewTicket(this.#state, loadTicket(context, board, fields, this.#projectContext(project)));
    });
  }

  /** @throws SeedError if the seed data is invalid */
  document(seed: WithTitle<DocumentSeed> & InOrganization = {}): Document {
    return this.#add('document', this.#named(seed, 'title', 'Document', this.#state.documents), (read) => {
      const { organization, ...fields } = read as DocumentSeed & InOrganization;
      const context = this.#contextIn(organization, 'document');
      const projects = new Lookup<ProjectRow>('project');
      for (const row of this.#live('project', this.#state.projects)) {
        if (row.organization_id === context.organization) projects.add(row, row.key);
      }
      return viewDocument(loadDocument(context, fields, projects));
    });
  }

  /**
   * Adds a comment to a ticket or document.
   *
   * @throws SeedError if the seed data is invalid or refers to both a ticket and a document
   */
  comment(seed: CommentSeed = {}): TicketComment | DocumentComment {
    return this.#add('comment', seed, (read) => {
      const { ticket, document, ...fields } = read as CommentSeed;
      if (ticket !== undefined && document !== undefined) {
        throw new SeedError('comment', 'expected a ticket or a document (got both)');
      }
      const { tickets, documents } = this.#state;
      if (document !== undefined) {
        const row = this.#only('document', titled(this.#live('document', documents)), document, 'comment');
        return loadComment(this.#contextIn(row.organization_id, 'comment'), fields, { document_id: row.id });
      }
      const row = this.#only('ticket', titled(this.#live('ticket', tickets)), ticket, 'comment');
      const { organization_id } = projectOf(this.#state, row);
      return loadComment(this.#contextIn(organization_id, 'comment'), fields, { ticket_id: row.id });
    });
  }

  /**
   * Adds a notification for one user.
   *
   * @throws SeedError if the seed data is invalid
   */
  notification(seed: NotificationSeed = {}): NotificationRow {
    return this.#add('notification', seed, (read) => {
      const { user: userName, ...fields } = read as NotificationSeed;
      const user = this.#only('user', [...this.#state.users.values()], userName, 'notification');
      const context = this.#contextIn(user.organization_id, 'notification');
      return loadNotification(context, fields, user);
    });
  }

  /** Adds a record. If this fails, restores the previous state. */
  #add<Item extends object>(
    kind: Parameters<typeof readSeed>[0],
    seed: object,
    load: (read: object) => Item,
  ): Item {
    const before = this.#state.snapshot();
    try {
      return copyRecord(load(readSeed(kind, seed)));
    } catch (error) {
      this.#state.restore(before);
      throw error;
    }
  }

  /** Generates a name, such as `Ticket 7`, for seed data without one. */
  #named(seed: object, field: string, kind: string, table: { readonly slots: number }): object {
    if ((seed as Record<string, unknown>)[field] !== undefined) return seed;
    return { ...seed, [field]: `${kind} ${table.slots + 1}` };
  }

  #live<Row extends { id: string }>(kind: keyof typeof findLive, table: { values(): Iterable<Row> }): Row[] {
    return [...table.values()].filter(({ id }) => findLive[kind](this.#state, id));
  }

  #contextIn(organization: string | undefined, path: string): SeedContext {
    return contextIn(this.#state, this.#organization(organization, path), path);
  }

  #organization(idOrName: string | undefined, path: string): OrganizationRow {
    return this.#only('organization', [...this.#state.organizations.values()], idOrName, path);
  }

  #project(idOrName: string | undefined, path: string): ProjectRow {
    return this.#only('project', this.#live('project', this.#state.projects), idOrName, path);
  }

  /**
   * Finds the record with the given ID or name. If neither is given, returns the only record of this kind.
   */
  #only<Row extends { id: string; name: string; key?: string }>(
    kind: string,
    rows: readonly Row[],
    idOrName: string | undefined,
    path: string,
  ): Row {
    if (idOrName === undefined) {
      const [only] = rows;
      if (only && rows.length === 1) return only;
      throw new SeedError(
        `${path}.${kind}`,
        `is required unless there is exactly one ${kind} (found ${rows.length})`,
      );
    }
    const lookup = new Lookup<Row>(kind);
    for (const row of rows) lookup.add(row, row.key);
    return lookup.find(idOrName, `${path}.${kind}`, 'the server');
  }

  #projectContext(project: ProjectRow): ProjectContext {
    const { id, lastNumber } = project;
    const numbers: TakenNumbers = {
      has: (number) =>
        number <= lastNumber &&
        [...this.#state.tickets.values()].some((row) => row.project_id === id && row.number === number),
      add: () => {},
    };
    return { labels: labelsOf(this.#state, id), numbers, slugs: slugsOf(this.#state, project) };
  }
}

/** Copies each row's title to `name`, because `Lookup` finds rows by name. */
const titled = <Row extends { title: string }>(rows: readonly Row[]): (Row & { name: string })[] =>
  rows.map((row) => ({ ...row, name: row.title }));
