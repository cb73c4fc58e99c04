import { createMockServer, type Deployment } from '../../mock-server/index.js';
import {
  type DeploymentSettings,
  deploymentWire,
  errorEnvelopes,
  recordEnvelopes,
  type SettingName,
} from '../../mock-server/internal.js';
import { type ErrorCode, errorCodes } from '../../src/contract/index.js';
import { isObject } from '../../src/internal.js';
import { Mismatch, NotCheckable } from './expectations.js';
import { type DeploymentResponse, Harness, idsOf } from './harness.js';
import type { Json } from './records.js';
import { type ConformanceOptions, type ConformanceReport, harnessOptions, runConformance } from './run.js';

/** The result of {@link findSettings}. */
export interface SettingsReport {
  /** The settings, for the mock server's `deployment` option, and what they don't express. */
  deployment: Deployment;
  /** Why some settings couldn't be determined. The mock server uses its own behavior for them. */
  undetermined: Partial<Record<SettingName, string>>;
  /** The conformance report of the deployment, including the optional rules. */
  conformance: ConformanceReport;
  /** The number of requests that were sent, including retries and cleanup. */
  requests: number;
  /** Like `undeletedRecords` of a conformance report. */
  undeletedRecords: string[];
}

/**
 * Finds the settings that make the mock server behave like a deployment, and the rules that no setting expresses.
 * Creates and deletes records like {@link runConformance}.
 *
 * @param options the options of `runConformance`, except those that select rules or the format
 * @throws TypeError if an option is invalid, or if the deployment can't be reached
 * @throws Error if the deployment rejects the token
 * @example
 * const { deployment } = await findSettings({ baseUrl, token, organization });
 * const mock = createMockServer({ deployment });
 */
export async function findSettings(
  options: Omit<ConformanceOptions, 'wire' | 'includeOptional' | 'operations'>,
): Promise<SettingsReport> {
  const { maxRequests = 2000, limitedCredential } = options;
  const settings = harnessOptions({ ...options, maxRequests }, 'findSettings');
  const found: Record<string, unknown> = {};
  const undetermined: Partial<Record<SettingName, string>> = {};
  const undeletedRecords: string[] = [];
  for (const name of Object.keys(observers) as SettingName[]) {
    // The envelopes are observed first, because the other settings are read through them.
    const harness = new Harness({ ...settings, wire: deploymentWire(found as Deployment) });
    try {
      found[name] = await observers[name](harness);
    } catch (error) {
      if (!isExpected(error, settings.sender.hasResponded)) throw error;
      undetermined[name] = error.message;
    } finally {
      undeletedRecords.push(...(await harness.cleanUp()));
    }
  }
  const deployment = found as DeploymentSettings;
  const { requestCount } = settings.sender;
  const conformance = await runConformance({
    ...options,
    includeOptional: true,
    wire: deploymentWire(deployment),
    maxRequests: Math.max(0, maxRequests - requestCount),
  });
  const notExpressed = await findDifferences(deployment, conformance, limitedCredential);
  return {
    deployment: { ...deployment, notExpressed },
    undetermined,
    conformance,
    requests: requestCount + conformance.requests,
    undeletedRecords: [...undeletedRecords, ...conformance.undeletedRecords],
  };
}

/** Returns whether the deployment's answer is the reason. */
const isExpected = (error: unknown, hasResponded: boolean): error is Error =>
  error instanceof NotCheckable ||
  error instanceof Mismatch ||
  // Observers don't validate responses, so unexpected data, such as null instead of a list, is a TypeError.
  (error instanceof TypeError && hasResponded);

/** Checks the rules against a mock server with these settings, and describes the rules with another result. */
async function findDifferences(
  deployment: DeploymentSettings,
  conformance: ConformanceReport,
  limited: ConformanceOptions['limitedCredential'],
): Promise<string[]> {
  const credentials = [{ token: 'all' }, { token: 'limited', scopes: [...(limited?.scopes ?? [])] }];
  const organization = { name: 'Emulation', users: [{ name: 'Owner', role: 'owner' as const }], credentials };
  const mock = createMockServer({ deployment, world: { organizations: [organization] } });
  const emulated = await runConformance({
    ...mock.clientOptions(),
    fetch: mock.fetch,
    includeOptional: true,
    limitedCredential: limited && { token: 'limited', scopes: limited.scopes },
  });
  const outcomes = new Map(emulated.results.map((result) => [`${result.operation} ${result.title}`, result]));
  return conformance.results.flatMap(({ operation, title, outcome, message }) => {
    const other = outcomes.get(`${operation} ${title}`)?.outcome;
    const isUnknown = outcome === 'not_checkable' || other === 'not_checkable';
    if (isUnknown || outcome === other) return [];
    const difference = outcome === 'fail' ? `fails (${withoutIds(message ?? '')})` : 'passes';
    return [`${operation} ${title}: ${difference}, unlike on the mock server`];
  });
}

/** IDs and the run's mark differ in each run, but the descriptions of two runs are compared. */
const withoutIds = (message: string): string =>
  message.replace(/ \(\w+ \/api\S*\)/g, '').replace(/"[^"]{8,}"/g, '"…"');

type Observe<Value> = (harness: Harness) => Promise<Value>;

/** Finds each setting's value, or throws NotCheckable. Omitting a setting is a compile error. */
const observers: { [Name in SettingName]-?: Observe<DeploymentSettings[Name]> } = {
  async recordEnvelope(harness) {
    const { body } = await harness.call('organization.get');
    for (const name of keysOf(recordEnvelopes)) {
      const data = recordEnvelopes[name].decode(body)?.data;
      if (isObject(data) && 'id' in data) return name;
    }
    throw new NotCheckable('the envelope around records is unknown; use the wire option');
  },

  async pageEnvelope(harness) {
    const { body } = await harness.call('documents.list', [], { query: { per_page: 1 } });
    if (isObject(body) && isObject(body.data) && Array.isArray(body.data.data)) return 'nested';
    if (!isObject(body) || !Array.isArray(body.data)) {
      throw new NotCheckable('the format of pages is unknown; use the wire option');
    }
    return isObject(body.meta) ? 'meta' : 'flat';
  },

  async errorEnvelope(harness) {
    const { body } = await harness.createWithoutName();
    for (const name of ['nested', 'list', 'problem', 'flat'] as const) {
      const { message, code, errors } = errorEnvelopes[name].decode(body);
      if (message !== undefined && (name !== 'flat' || code || errors)) return name;
    }
    if (errorEnvelopes.message.decode(body).message !== undefined) return 'message';
    throw new NotCheckable('the format of errors is unknown; use the wire option');
  },

  async statuses(harness) {
    const project = await harness.createProject();
    const board = await harness.createBoard(project, { wip_limit: 1 });
    const ticket = await harness.createTicket(project, board);
    const statuses: Partial<Record<ErrorCode, number>> = {};
    for (const code of keysOf(causes)) {
      const { status } = await causes[code]({ harness, project, board, ticket });
      // A request that the deployment accepts shows up as a rule with another result.
      if (status >= 400 && status < 500 && status !== errorCodes[code]) statuses[code] = status;
    }
    return statuses;
  },

  async pastLastPage(harness) {
    const project = await harness.createProject();
    const { status } = await harness.call('tickets.list', [project.id], { query: { page: 9 } });
    return byStatus(status, { 200: 'empty', 404: 'not_found', 422: 'rejected' });
  },

  async archivedInLists(harness) {
    const { project, first, ticket } = await harness.createBoards(1);
    const document = await harness.createDocument({ project_id: project.id });
    const body = { archived: true };
    await harness.expectSuccess('tickets.update', [ticket.id], { body });
    await harness.expectSuccess('documents.update', [document.id], { body });
    const tickets = await harness.listTicketIds(project, first);
    const documents = await harness.listIds('documents.list', [], { project_id: project.id });
    await harness.expectSuccess('projects.update', [project.id], { body });
    const projects = idsOf(await harness.expectSuccess('projects.list'));
    const listed = [tickets.length > 0, documents.length > 0, projects.includes(project.id)];
    if (new Set(listed).size > 1)
      throw new NotCheckable('it differs between tickets, documents, and projects');
    return listed[0] ? 'listed' : 'hidden';
  },

  async hiddenBoards(harness) {
    const { project, first } = await harness.createBoards(0);
    await harness.expectSuccess('boards.update', [first.id], { body: { is_hidden: true } });
    return (await harness.listBoardIds(project)).includes(first.id) ? 'listed' : 'hidden';
  },

  async listOrder(harness) {
    const created = idsOf([await harness.createProject(), await harness.createProject()]);
    const listed = idsOf(await harness.expectSuccess('projects.list')).filter((id) => created.includes(id));
    if (listed.length < 2) throw new NotCheckable("projects.list doesn't contain the new projects");
    return listed[0] === created[0] ? 'oldest_first' : 'newest_first';
  },

  async archivedInWipLimits(harness) {
    const { project, second } = await harness.createBoards(0, { wip_limit: 1 });
    const ticket = await harness.createTicket(project, second);
    await harness.expectSuccess('tickets.update', [ticket.id], { body: { archived: true } });
    const body = { board_id: second.id, title: `Ticket ${harness.mark}` };
    const { status } = await harness.call('tickets.create', [project.id], { body });
    return status < 300 ? 'not_counted' : 'counted';
  },

  async creator(harness) {
    const { project, ticket } = await harness.createBoards(1);
    const members: Json[] = await harness.expectSuccess('projects.members.list', [project.id]);
    const user = members.find(({ id }) => id === ticket.creator.id);
    if (user && user.role !== 'owner') throw new NotCheckable("the creator is a user who isn't an owner");
    return user ? 'owner' : 'credential';
  },

  async slugs(harness) {
    const project = await harness.createProject();
    const slugs: string[] = [];
    for (const name of ['Odd units', 'Odd units', '…']) {
      slugs.push((await harness.createBoard(project, { name })).slug);
    }
    const [first = '', second = '', fallback = ''] = slugs;
    const separator = /^odd(.*)units$/.exec(first)?.[1];
    if (separator === undefined) throw new NotCheckable('slugs are derived in another way');
    const suffix = second.startsWith(first + separator) ? second.slice(first.length + separator.length) : '';
    if (!/^\d{1,3}$/.test(suffix)) throw new NotCheckable('slugs are made unique in another way');
    return { separator, fallback, firstSuffix: Number(suffix) };
  },

  async defaultBoards(harness) {
    const project = await harness.createProject();
    const boards: Json[] = await harness.expectSuccess('boards.list', [project.id]);
    return boards.map(({ name, slug, color, wip_limit, is_done, is_hidden }) => ({
      name,
      slug,
      color,
      wip_limit,
      is_done,
      is_hidden,
    }));
  },

  async boardForNewTickets(harness) {
    const { project } = await harness.createBoards(0);
    const body = { title: `Ticket ${harness.mark}` };
    const { status, data } = await harness.call('tickets.create', [project.id], { body });
    if (status >= 300) return null;
    const boards: Json[] = await harness.expectSuccess('boards.list', [project.id]);
    const board = boards.find(({ id }) => id === data.board_id);
    if (!board) throw new NotCheckable("the new ticket's board isn't listed");
    return board.slug;
  },

  async emptyStrings(harness) {
    const project = await harness.createProject();
    const { status } = await harness.call('boards.create', [project.id], { body: { name: '' } });
    return byStatus(status, { 201: 'accepted', 422: 'rejected' });
  },

  async unknownFields(harness) {
    const { ticket } = await harness.createBoards(1);
    const { status } = await harness.call('tickets.update', [ticket.id], { body: { unknown: 1 } });
    return byStatus(status, { 200: 'ignored', 422: 'rejected' });
  },

  async emptyFields(harness) {
    const { ticket } = await harness.createBoards(1);
    return 'due_at' in ticket ? 'null' : 'omitted';
  },
};

interface Records {
  harness: Harness;
  project: Json;
  /** A board that's full. */
  board: Json;
  ticket: Json;
}

type Cause = (records: Records) => Promise<DeploymentResponse>;

const createTicket =
  (fields: (records: Records) => object): Cause =>
  ({ harness, project, board, ...others }) =>
    harness.call('tickets.create', [project.id], {
      body: { title: 'Rejected', board_id: board.id, ...fields({ harness, project, board, ...others }) },
    });

/** What causes each error. Nothing outside of the run's own records could change. */
const causes = {
  not_found: ({ harness }) => harness.call('tickets.get', [harness.unknownId]),
  invalid_credential: ({ harness }) => harness.call('organization.get', [], { token: 'not-a-credential' }),
  wrong_organization: ({ harness }) => harness.call('organization.get', [harness.unknownId]),
  malformed_json: ({ harness, ticket }) => harness.call('tickets.update', [ticket.id], { body: '{"title":' }),
  validation_failed: ({ harness }) => harness.createWithoutName(),
  invalid_relation: createTicket(() => ({ assignee_ids: ['none'] })),
  invalid_board: createTicket(() => ({ board_id: 'none' })),
  wip_limit_reached: createTicket(() => ({})),
  invalid_board_list: ({ harness, project }) =>
    harness.call('boards.reorder', [project.id], { body: { board_ids: ['none'] } }),
  invalid_ticket_list: ({ harness, project, board }) =>
    harness.call('tickets.reorder', [project.id], { body: { board_id: board.id, ticket_ids: ['none'] } }),
  invalid_target_board: ({ harness, board }) =>
    harness.call('boards.delete', [board.id], { body: { move_to_board_id: 'none' } }),
  target_board_required: ({ harness, board }) => harness.call('boards.delete', [board.id]),
} as const satisfies Partial<Record<ErrorCode, Cause>>;

function byStatus<Value>(status: number, values: Readonly<Record<number, Value>>): Value {
  const value = values[status];
  if (value === undefined) throw new NotCheckable(`unexpected status ${status}`);
  return value;
}

const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table)[];

/** Describes what has changed between two runs. Settings that only one of them determined aren't compared. */
export function compareSettings(
  before: Deployment,
  after: Deployment,
): { changes: string[]; notCompared: SettingName[] } {
  const changes: string[] = [];
  const notCompared: SettingName[] = [];
  for (const name of Object.keys(observers) as SettingName[]) {
    const [old, current] = [JSON.stringify(before[name]), JSON.stringify(after[name])];
    if (old === undefined || current === undefined) {
      if (old !== current) notCompared.push(name);
    } else if (old !== current) changes.push(`${name}: ${old} is now ${current}`);
  }
  const [old, current] = [before.notExpressed ?? [], after.notExpressed ?? []];
  changes.push(...current.filter((line) => !old.includes(line)).map((line) => `new: ${line}`));
  changes.push(...old.filter((line) => !current.includes(line)).map((line) => `no longer: ${line}`));
  return { changes, notCompared };
}
