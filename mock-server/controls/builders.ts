import type {
  Board,
  Document,
  Label,
  Member,
  Organization,
  Project,
  Ticket,
} from '../../src/contract/index.js';
import { viewBoard, viewDocument, viewOrganization, viewProject, viewTicket } from '../rules/views.js';
import { loadDocument } from '../seed/load-document.js';
import { loadUser } from '../seed/load-people.js';
import { labelsOf, loadBoard, loadLabel, loadProject } from '../seed/load-project.js';
import { loadTicket, type TakenNumbers } from '../seed/load-ticket.js';
import { loadOrganization } from '../seed/load-world.js';
import { Lookup } from '../seed/lookup.js';
import { readSeed } from '../seed/read-world.js';
import { contextIn, type SeedContext } from '../seed/seed-context.js';
import { SeedError } from '../seed/seed-error.js';
import type {
  BoardSeed,
  DocumentSeed,
  LabelSeed,
  OrganizationSeed,
  ProjectSeed,
  TicketSeed,
  UserSeed,
} from '../seed/world.js';
import type { OrganizationRow, ProjectRow } from '../state/rows.js';
import type { State } from '../state/state.js';
import { copyOf } from './copy-record.js';

/** A seed whose name or title may be left out. */
type Named<Seed> = Omit<Seed, 'name' | 'title'> & { name?: string | undefined; title?: string | undefined };
type WithName<Seed> = Omit<Named<Seed>, 'title'>;
type WithTitle<Seed> = Omit<Named<Seed>, 'name'>;

/** In which organization; by id or name. May be left out where there is one only. */
interface InOrganization {
  organization?: string | undefined;
}

/** In which project; by id, name or key. May be left out where there is one only. */
interface InProject {
  project?: string | undefined;
}

/**
 * Adds one record at a time to a running server, as a seed would: no credential, no rule in the
 * way. Names and titles may be left out; the place may be left out where there is only one.
 *
 * @example
 * const board = mock.add.board({ name: 'Doing', wip_limit: 1 });
 * const ticket = mock.add.ticket({ board: board.id, assignees: ['Ada'] });
 */
export class Builders {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  organization(seed: WithName<OrganizationSeed> = {}): Organization {
    return this.#add(
      'organization',
      this.#named(seed, 'name', 'Organization', this.#state.organizations),
      (read) => viewOrganization(loadOrganization(this.#state, read as OrganizationSeed, 'organization')),
    );
  }

  user({ organization, ...seed }: WithName<UserSeed> & InOrganization = {}): Member {
    return this.#add('user', this.#named(seed, 'name', 'User', this.#state.users), (read) => {
      const { organization_id: _, ...member } = loadUser(
        this.#state,
        this.#organization(organization, 'user').id,
        read as UserSeed,
        'user',
      );
      return member;
    });
  }

  label({ project, ...seed }: WithName<LabelSeed> & InProject = {}): Label {
    return this.#add('label', { name: 'Label', ...seed }, (read) =>
      loadLabel(this.#state, this.#project(project, 'label').id, read as LabelSeed, 'label'),
    );
  }

  project({ organization, ...seed }: WithName<ProjectSeed> & InOrganization = {}): Project {
    return this.#add('project', this.#named(seed, 'name', 'Project', this.#state.projects), (read) =>
      viewProject(loadProject(this.#contextIn(organization, 'project'), read as ProjectSeed)),
    );
  }

  board({ project: given, ...seed }: WithName<BoardSeed> & InProject = {}): Board {
    return this.#add('board', this.#named(seed, 'name', 'Board', this.#state.boards), (read) => {
      const project = this.#project(given, 'board');
      const context = this.#contextIn(project.organization_id, 'board');
      const row = loadBoard(context, project.id, read as BoardSeed, this.#surroundings(project));
      return viewBoard(row, project.boards.length);
    });
  }

  ticket({ board: given, ...seed }: WithTitle<TicketSeed> & { board?: string | undefined } = {}): Ticket {
    return this.#add('ticket', this.#named(seed, 'title', 'Ticket', this.#state.tickets), (read) => {
      const board = this.#only('board', this.#live(this.#state.boards), given, 'ticket');
      const project = this.#state.projects.get(board.project_id) as ProjectRow;
      const context = this.#contextIn(project.organization_id, 'ticket');
      const row = loadTicket(context, board, read as TicketSeed, this.#surroundings(project));
      return viewTicket(this.#state, row);
    });
  }

  document({ organization, ...seed }: WithTitle<DocumentSeed> & InOrganization = {}): Document {
    return this.#add('document', this.#named(seed, 'title', 'Document', this.#state.documents), (read) => {
      const context = this.#contextIn(organization, 'document');
      const projects = new Lookup<ProjectRow>('project');
      for (const row of this.#live(this.#state.projects)) {
        if (row.organization_id === context.organization) projects.add(row, row.key);
      }
      return viewDocument(loadDocument(context, read as DocumentSeed, projects));
    });
  }

  /** Adds all or nothing: what was put in before a relation failed is taken out again. */
  #add<Item extends object>(
    kind: Parameters<typeof readSeed>[0],
    seed: object,
    load: (read: object) => Item,
  ): Item {
    const before = this.#state.snapshot();
    try {
      return copyOf(load(readSeed(kind, seed)));
    } catch (error) {
      this.#state.restore(before);
      throw error;
    }
  }

  /** The seed with a name of its own where it has none: `Ticket 7`. */
  #named(seed: object, field: string, kind: string, table: { values(): Iterable<unknown> }): object {
    if ((seed as Record<string, unknown>)[field] !== undefined) return seed;
    return { ...seed, [field]: `${kind} ${[...table.values()].length + 1}` };
  }

  #contextIn(organization: string | undefined, path: string): SeedContext {
    return contextIn(this.#state, this.#organization(organization, path), path);
  }

  #organization(given: string | undefined, path: string): OrganizationRow {
    return this.#only('organization', [...this.#state.organizations.values()], given, path);
  }

  #project(given: string | undefined, path: string): ProjectRow {
    return this.#only('project', this.#live(this.#state.projects), given, path);
  }

  #only<Row extends { id: string; name: string; key?: string }>(
    kind: string,
    rows: readonly Row[],
    given: string | undefined,
    path: string,
  ): Row {
    if (given === undefined && rows.length !== 1) {
      throw new SeedError(`${path}.${kind}`, `is required: there are ${rows.length} ${kind}s`);
    }
    const lookup = new Lookup<Row>(kind);
    for (const row of rows) lookup.add(row, ...(row.key === undefined ? [] : [row.key]));
    return given === undefined ? (rows[0] as Row) : lookup.find(given, `${path}.${kind}`, 'the world');
  }

  #live<Row extends { deleted_at: string | null }>(table: { values(): Iterable<Row> }): Row[] {
    return [...table.values()].filter(({ deleted_at }) => deleted_at === null);
  }

  #surroundings({ id }: ProjectRow) {
    const numbers: TakenNumbers = {
      has: (number) =>
        number <= (this.#state.projects.get(id)?.lastNumber ?? 0) &&
        [...this.#state.tickets.values()].some((row) => row.project_id === id && row.number === number),
      add: () => {},
    };
    return { labels: labelsOf(this.#state, id), numbers };
  }
}
