import type { Order, Visibility } from '../../../mock-server/deployment/choices.js';
import { valueAt } from '../../../mock-server/deployment/fields.js';
import type { OperationId } from '../../../src/contract/index.js';
import { NotCheckable } from '../expectations.js';
import type { DeploymentResponse, Harness } from '../harness.js';
import type { Json } from '../records.js';
import { type Observation, type Observers, requireStatus } from './observation.js';
import { findItems } from './page-observation.js';

/** Observes fields, positions, sort orders, and which records are included in lists. */
export const behaviorObservers = {
  /** Observes whether a project without a description has a `description` field. */
  async emptyFields(harness) {
    const withValue = await harness.createProject({ description: 'Calibration' });
    const empty = await harness.createProject();
    if (!('description' in withValue))
      throw new NotCheckable("projects.create doesn't return the description");
    if (!('description' in empty)) return 'omitted';
    if (empty.description === null) return 'null';
    throw new NotCheckable('a project without a description has a non-null description');
  },

  async timestampFormat(harness) {
    const { created_at } = await harness.createProject();
    if (typeof created_at !== 'string') throw new NotCheckable("created_at isn't a string");
    return created_at.replace(/\d/g, '0');
  },

  async firstPosition(harness) {
    const { tickets } = await harness.createBoards(2);
    const [first, second] = tickets.map(({ position }) => position);
    if (!Number.isInteger(first) || second !== first + 1) {
      throw new NotCheckable("the positions of two tickets aren't consecutive integers");
    }
    return first;
  },

  async defaultBoards(_, observation) {
    const { boards } = await observation.once(createEmptyProject);
    return boards.map((board) => {
      if (typeof board.name !== 'string') throw new NotCheckable('a board has no name');
      // Omit empty fields to keep the file short.
      const fields = ['slug', 'color', 'wip_limit', 'is_done', 'is_hidden'] as const;
      const present = fields.flatMap((field) =>
        field in board && board[field] ? [[field, board[field]]] : [],
      );
      return { name: board.name, ...Object.fromEntries(present) };
    });
  },

  async boardForNewTickets(harness, observation) {
    const { project, boards } = await observation.once(createEmptyProject);
    const response = await harness.call('tickets.create', [project.id], {
      body: { title: 'Without a board' },
    });
    if (response.status === 422 || response.status === 400) return null;
    requireStatus(response, 201);
    const { board_id } = response.data;
    const board = boards.find(({ id }) => id === board_id);
    if (!board)
      throw new NotCheckable("the ticket is on a board that isn't in the new project's list of boards");
    return 'slug' in board ? board.slug : board.name;
  },

  async boardSlugs(harness) {
    const project = await harness.createProject();
    const slugs: string[] = [];
    for (const name of ['In Review!', 'In Review', '…']) {
      const { slug } = await harness.createBoard(project, { name });
      if (typeof slug !== 'string') throw new NotCheckable("boards.create doesn't return a slug");
      slugs.push(slug);
    }
    const [first = '', second = '', fallback = ''] = slugs;
    const [, separator] = /^in([^a-z0-9]*)review$/.exec(first) ?? [];
    const suffix = second.startsWith(`${first}${separator}`)
      ? second.slice(first.length + (separator?.length ?? 0))
      : '';
    if (separator === undefined || !/^\d+$/.test(suffix) || fallback === '') {
      throw new NotCheckable("the slugs don't follow a known rule");
    }
    return { separator, fallback, firstSuffix: Number(suffix) };
  },

  /** Creates four tickets on two boards. Each known way to sort tickets results in a different order. */
  async ticketOrder(harness) {
    const { project, first, second } = await harness.createBoards(0);
    const plan = [
      { name: 'Delta', board: 1, position: 1 },
      { name: 'Bravo', board: 0, position: 0 },
      { name: 'Charlie', board: 0, position: 1 },
      { name: 'Alpha', board: 1, position: 0 },
    ];
    const records = await createOrdered(harness, plan, ({ name, board }) =>
      harness.createTicket(project, board === 0 ? first : second, { title: name }),
    );
    const move = await harness.call('tickets.move', [idOf(records, 3)], {
      body: { board_id: second.id, position: 0 },
    });
    requireStatus(move, 200);
    const updated = idOf(records, 2);
    await update(harness, 'tickets.update', updated, 'description_html', move.data);
    return orderOf(records, updated, await list(harness, 'tickets.list', [project.id]));
  },

  async documentOrder(harness) {
    const project = await harness.createProject();
    const create = ({ name }: { name: string }) =>
      harness.createDocument({ title: name, project_id: project.id });
    const records = await createOrdered(harness, unsorted, create);
    const updated = idOf(records, 1);
    await update(harness, 'documents.update', updated, 'caption', records.at(-1));
    const query = { project_id: project.id };
    return orderOf(records, updated, await list(harness, 'documents.list', [], query));
  },

  async projectOrder(harness) {
    const create = ({ name }: { name: string }) => harness.createProject({ name: `Conformance ${name}` });
    const records = await createOrdered(harness, unsorted, create);
    const updated = idOf(records, 1);
    await update(harness, 'projects.update', updated, 'description', records.at(-1));
    return orderOf(records, updated, await list(harness, 'projects.list', []));
  },

  async archivedTickets(harness, observation) {
    const { project, archived, other } = await observation.once(archiveTicket);
    return visibilityIn(await list(harness, 'tickets.list', [project.id]), archived, other);
  },

  async archivedDocuments(harness) {
    const project = await harness.createProject();
    const [archived, other] = [
      await harness.createDocument({ project_id: project.id }),
      await harness.createDocument({ project_id: project.id }),
    ];
    await archive(harness, 'documents.update', archived);
    const query = { project_id: project.id };
    return visibilityIn(await list(harness, 'documents.list', [], query), archived, other);
  },

  async archivedProjects(harness) {
    const [archived, other] = [await harness.createProject(), await harness.createProject()];
    await archive(harness, 'projects.update', archived);
    return visibilityIn(await list(harness, 'projects.list', []), archived, other);
  },

  async hiddenBoards(harness) {
    const { project, first, second } = await harness.createBoards(0);
    requireStatus(await harness.call('boards.update', [first.id], { body: { is_hidden: true } }), 200);
    return visibilityIn(await list(harness, 'boards.list', [project.id]), first, second);
  },

  async archivedTicketsInWipLimit(harness, observation) {
    const { project, board } = await observation.once(archiveTicket);
    const body = { title: 'One more', board_id: board.id };
    const response = await harness.call('tickets.create', [project.id], { body });
    if (response.status >= 400 && response.status !== 403) return 'counted';
    requireStatus(response, 201);
    // This ticket exceeds the limit whether or not archived tickets count. If the deployment accepts this
    // ticket, it ignores WIP limits.
    const further = await harness.call('tickets.create', [project.id], { body });
    if (further.status < 400) throw new NotCheckable("the deployment doesn't enforce WIP limits");
    return 'not_counted';
  },

  async emptyStrings(harness) {
    const { project, first } = await harness.createBoards(0);
    const body = { title: '', board_id: first.id };
    return accepted(await harness.call('tickets.create', [project.id], { body }), 201)
      ? 'accepted'
      : 'rejected';
  },

  async unknownFields(harness) {
    const { id } = await harness.createProject();
    const body = { name: 'Conformance renamed', unknown_field: 1 };
    return accepted(await harness.call('projects.update', [id], { body }), 200) ? 'ignored' : 'rejected';
  },
} satisfies Partial<Observers>;

async function createEmptyProject(observation: Observation): Promise<{ project: Json; boards: Json[] }> {
  const harness = await observation.harness();
  const project = await harness.createProject();
  return { project, boards: await list(harness, 'boards.list', [project.id]) };
}

interface OrderedRecord {
  id: string;
  name: string;
  board: number;
  position: number;
}

const unsorted = ['Bravo', 'Charlie', 'Alpha'].map((name, position) => ({ name, board: 0, position }));

/** Creates records at different times. */
async function createOrdered<Plan extends Omit<OrderedRecord, 'id'>>(
  harness: Harness,
  plans: readonly Plan[],
  create: (plan: Plan) => Promise<Json>,
): Promise<(Plan & Json)[]> {
  const records: (Plan & Json)[] = [];
  for (const plan of plans) {
    const record = await harness.writeLater('created_at', records.at(-1) ?? {}, () => create(plan));
    records.push({ ...record, ...plan });
  }
  return records;
}

const idOf = (records: readonly Json[], index: number): string => records[index]?.id;

/** Changes a field of a record until its `updated_at` differs from that of the `previous` record. */
async function update(
  harness: Harness,
  operation: OperationId,
  id: string,
  field: string,
  previous: Json = {},
): Promise<void> {
  let count = 0;
  await harness.writeLater('updated_at', previous, async () => {
    count += 1;
    const response = await harness.call(operation, [id], { body: { [field]: `Changed ${count}` } });
    requireStatus(response, 200);
    return response.data;
  });
}

/**
 * Returns the name of the sort order. If the order has no known name, lists the positions instead.
 *
 * @param updated the ID of the record that was changed after all others
 */
function orderOf(records: readonly OrderedRecord[], updated: string, listed: readonly Json[]): string {
  const ids = listed.map(({ id }) => id).filter((id) => records.some((record) => record.id === id));
  if (ids.length !== records.length)
    throw new NotCheckable('some of the new records are missing from the list');
  const created = (record: OrderedRecord) => records.indexOf(record);
  const comparisons: Record<Order, (one: OrderedRecord, other: OrderedRecord) => number> = {
    oldest_first: (one, other) => created(one) - created(other),
    newest_first: (one, other) => created(other) - created(one),
    recently_updated_first: (one, other) =>
      Number(other.id === updated) - Number(one.id === updated) || created(other) - created(one),
    name: (one, other) => (one.name < other.name ? -1 : 1),
    board_and_position: (one, other) => one.board - other.board || one.position - other.position,
  };
  const orders = Object.entries(comparisons);
  const found = orders.find(
    ([, compare]) => `${[...records].sort(compare).map(({ id }) => id)}` === `${ids}`,
  );
  return (
    found?.[0] ?? `other: ${ids.map((id) => records.findIndex((record) => record.id === id) + 1).join(' ')}`
  );
}

/** Creates a full board with an archived ticket. */
async function archiveTicket(
  observation: Observation,
): Promise<{ project: Json; board: Json; archived: Json; other: Json }> {
  const harness = await observation.harness();
  const { project, second: board } = await harness.createBoards(0, { wip_limit: 2 });
  const archived = await harness.createTicket(project, board);
  const other = await harness.createTicket(project, board);
  await archive(harness, 'tickets.update', archived);
  return { project, board, archived, other };
}

async function archive(harness: Harness, operation: OperationId, { id }: Json): Promise<void> {
  requireStatus(await harness.call(operation, [id], { body: { archived: true } }), 200);
}

/**
 * @param control a record that must be in the list. If it's missing, the visibility of `record` is unknown.
 */
function visibilityIn(listed: readonly Json[], record: Json, control: Json): Visibility {
  const includes = ({ id }: Json) => listed.some((other) => other.id === id);
  if (!includes(control)) throw new NotCheckable("the list doesn't contain a new record");
  return includes(record) ? 'listed' : 'hidden';
}

function accepted(response: DeploymentResponse, status: number): boolean {
  if (response.status === 422 || response.status === 400) return false;
  requireStatus(response, status);
  return true;
}

/** Returns a list that's known to be complete because it either isn't paginated or is shorter than a page. */
async function list(
  harness: Harness,
  operation: OperationId,
  ids: string[],
  query?: object,
): Promise<Json[]> {
  const isPaginated = operation === 'tickets.list' || operation === 'documents.list';
  const response = await harness.call(operation, ids, {
    ...(isPaginated && { query: { ...query, per_page: 200 } }),
  });
  requireStatus(response, 200);
  const records = isPaginated ? valueAt(response.body, findItems(response.body) ?? 'none') : response.data;
  if (!Array.isArray(records)) throw new NotCheckable(`${operation} doesn't return a list`);
  return records;
}
