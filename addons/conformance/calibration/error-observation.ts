import {
  type ErrorChoice,
  type ErrorChoices,
  type ObservableCode,
  observableCodes,
} from '../../../mock-server/deployment/choices.js';
import { type ErrorFact, type ErrorFields, unrecognized } from '../../../mock-server/deployment/fields.js';
import { isObject } from '../../../src/shared/json.js';
import { NotCheckable } from '../expectations.js';
import type { DeploymentResponse, Harness } from '../harness.js';
import { type Observation, type Observers, reasonOf, requireStatus } from './observation.js';

/** Observes the format of errors, and the status and code of each error. */
export const errorObservers = {
  errorFields: (_: Harness, observation: Observation) => observation.once(observeErrorFields),
  ...(Object.fromEntries(observableCodes.map((code) => [`error.${code}`, observeError(code)])) as Pick<
    Observers,
    keyof ErrorChoices
  >),
} satisfies Partial<Observers>;

const unknownId = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/**
 * An invalid request for each error. Even if the deployment accepts one of these requests, no existing data
 * changes.
 */
const invalidRequests: Readonly<Record<ObservableCode, (harness: Harness) => Promise<DeploymentResponse>>> = {
  not_found: async (harness) => {
    const { project, ticket } = await harness.createBoards();
    const responses: DeploymentResponse[] = [];
    for (const [id, own] of [
      ['tickets.get', ticket],
      ['projects.get', project],
    ] as const) {
      // Skip records that the credential isn't allowed to read, because the error would be the same for an
      // unknown ID.
      if ((await harness.call(id, [own.id])).status !== 200) continue;
      responses.push(await harness.call(id, [unknownId]));
    }
    const [first] = responses;
    if (!first) throw new NotCheckable("the credential isn't allowed to read records (403)");
    if (responses.some(({ status }) => status !== first.status)) {
      throw new NotCheckable('the status differs between projects and tickets');
    }
    return first;
  },
  invalid_credential: (harness) => harness.call('organization.get', [], { token: 'not-a-credential' }),
  wrong_organization: async (harness) => {
    // If the credential can't read its own organization, the error is the same for every organization.
    requireStatus(await harness.call('organization.get'), 200);
    return harness.call('organization.get', [unknownId]);
  },
  malformed_json: async (harness) =>
    harness.call('projects.update', [(await harness.createProject()).id], { body: '{"name":' }),
  validation_failed: (harness) => harness.createWithoutName(),
  invalid_relation: async (harness) => {
    const { project, first } = await harness.createBoards(0);
    const body = { title: 'Rejected', board_id: first.id, assignee_ids: ['none'] };
    return harness.call('tickets.create', [project.id], { body });
  },
  invalid_board: async (harness) => {
    const body = { title: 'Rejected', board_id: 'none' };
    return harness.call('tickets.create', [(await harness.createProject()).id], { body });
  },
  wip_limit_reached: async (harness) => {
    const { project, second } = await harness.createBoards(0, { wip_limit: 1 });
    await harness.createTicket(project, second);
    const body = { title: 'Rejected', board_id: second.id };
    return harness.call('tickets.create', [project.id], { body });
  },
  invalid_board_list: async (harness) => {
    const { project, first } = await harness.createBoards(0);
    return harness.call('boards.reorder', [project.id], { body: { board_ids: [first.id, first.id] } });
  },
  invalid_ticket_list: async (harness) => {
    const { project, first, ticket } = await harness.createBoards(2);
    const body = { board_id: first.id, ticket_ids: [ticket.id] };
    return harness.call('tickets.reorder', [project.id], { body });
  },
  target_board_required: async (harness) => {
    const { first } = await harness.createBoards();
    return harness.call('boards.delete', [first.id]);
  },
  invalid_target_board: async (harness) => {
    const { first } = await harness.createBoards();
    return harness.call('boards.delete', [first.id], { body: { move_to_board_id: 'none' } });
  },
};

type Sample = { response: DeploymentResponse } | { error: unknown };

interface Samples {
  byCode: ReadonlyMap<ObservableCode, Sample>;
  /** The response to sending the request for `validation_failed` a second time. */
  repeated: DeploymentResponse;
}

async function sampleErrors(observation: Observation): Promise<Samples> {
  const harness = await observation.harness();
  const repeated = await invalidRequests.validation_failed(harness);
  const samples = new Map<ObservableCode, Sample>();
  for (const code of observableCodes) {
    try {
      samples.set(code, { response: await invalidRequests[code](harness) });
    } catch (error) {
      if (reasonOf(error) === undefined) throw error;
      samples.set(code, { error });
    }
  }
  return { byCode: samples, repeated };
}

/** Returns a function that observes an error's status and code. */
function observeError(code: ObservableCode) {
  return async (_: Harness, observation: Observation): Promise<ErrorChoice> => {
    const sample = (await observation.once(sampleErrors)).byCode.get(code) as Sample;
    if ('error' in sample) throw sample.error;
    const { status, body } = sample.response;
    // If the credential lacks the scope, the deployment doesn't validate the request.
    if (status === 403 && !canBeForbidden.has(code))
      throw new NotCheckable("the credential isn't allowed to do this (403)");
    const fields = await observation.once(observeErrorFields);
    const path = Object.keys(fields).find((name) => fields[name]?.replace('?', '') === 'code');
    const found = path === undefined ? undefined : leavesOf(body).get(path);
    return { status, code: typeof found === 'string' || typeof found === 'number' ? String(found) : null };
  };
}

/** The errors for which some deployments return 403 even if the credential has the scope. */
const canBeForbidden: ReadonlySet<ObservableCode> = new Set([
  'not_found',
  'invalid_credential',
  'wrong_organization',
]);

/** Compares the bodies of all errors to determine what each field contains. */
async function observeErrorFields(observation: Observation): Promise<ErrorFields> {
  const { byCode, repeated } = await observation.once(sampleErrors);
  const errors = [...byCode.values()].flatMap((sample) =>
    'response' in sample && sample.response.status >= 400 ? [sample.response] : [],
  );
  if (errors.length < 2 || errors.some(({ body }) => !isObject(body))) {
    throw new NotCheckable('not every error response is a JSON object');
  }
  const bodies = errors.map(({ body }) => leavesOf(body));
  const statuses = errors.map(({ status }) => status);
  const paths = [...new Set(bodies.flatMap((leaves) => [...leaves.keys()]))].sort();
  const first = byCode.get('validation_failed');
  const isStable = (path: string) =>
    first === undefined ||
    'error' in first ||
    leavesOf(first.response.body).get(path) === leavesOf(repeated.body).get(path);
  const facts = paths
    // If a list is empty in some errors and has items in others, omit the empty list.
    .filter((path) => !paths.some((other) => other.startsWith(`${path}[]`)))
    .map((path): [string, ErrorFields[string]] => {
      const values = bodies.map((leaves) => leaves.get(path));
      const fact = factOf(values, statuses, path.includes('[]'));
      if (fact === undefined || (fact === 'code' && !isStable(path))) return [path, unrecognized];
      const isListSent = path.includes('[]') && paths.includes(path.replace(/\[\].*/s, ''));
      const isOmitted = values.includes(undefined) && !isListSent;
      return [path, isOmitted ? `${fact}?` : fact];
    });
  return Object.fromEntries(keepOneCode(facts));
}

/**
 * If several fields depend on the error's cause and one of them is named `code`, treats only that one as the
 * code.
 */
function keepOneCode(facts: [string, ErrorFields[string]][]): [string, ErrorFields[string]][] {
  const codes = facts.filter(([, fact]) => fact.replace('?', '') === 'code');
  const code = codes.find(([path]) => /(^|\.)code$/.test(path)) ?? codes[0];
  return facts.map((entry) => (codes.includes(entry) && entry !== code ? [entry[0], unrecognized] : entry));
}

/**
 * Returns the values in a body, keyed by path. In paths to fields of list items, `[]` follows the list's
 * name.
 */
function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (Array.isArray(value) && value.length > 0) return leavesOf(value[0], `${path}[]`);
  if (!isObject(value) || isFieldMap(value)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([name, child]) => [...leavesOf(child, path ? `${path}.${name}` : name)]),
  );
}

/**
 * The fields of the invalid requests. An object that has one of these names as a key contains a message for
 * each field.
 */
const fieldNames = new Set([
  'name',
  'key',
  'assignee_ids',
  'assignee_ids.0',
  'board_id',
  'board_ids',
  'ticket_ids',
  'move_to_board_id',
]);

function isFieldMap(value: Record<string, unknown>): boolean {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => fieldNames.has(name)) && !isFieldItem(value);
}

/** Returns whether an object describes one invalid field, as in `{ "name": "title", "message": … }`. */
const isFieldItem = (value: Record<string, unknown>): boolean =>
  Object.values(value).some((text) => typeof text === 'string' && fieldNames.has(text));

/** @param values the field's value in each error. Undefined for errors without the field */
function factOf(
  values: readonly unknown[],
  statuses: readonly number[],
  isInList: boolean,
): ErrorFact | undefined {
  const entries = values.map((value, index) => [value, statuses[index]] as const);
  const present = entries.filter(([value]) => value !== undefined && value !== null);
  const every = (test: (value: unknown, status: number | undefined) => boolean) =>
    present.every(([value, status]) => test(value, status));
  if (present.length === 0) return 'null';
  if (every((value) => value === true)) return 'true';
  if (every((value) => value === false)) return 'false';
  if (every((value) => isObject(value))) {
    const isList = every((value) => Object.values(value as object).every(Array.isArray));
    return isList ? 'messages_by_field' : 'message_by_field';
  }
  if (every((value, status) => value === status)) return 'status';
  if (every((value, status) => value === String(status))) return 'status_text';
  if (!every((value) => typeof value === 'string')) return undefined;
  if (isInList && every((value) => fieldNames.has(value as string))) return 'field_name';
  if (every((value) => !/^[\w.:/-]{1,80}$/.test(value as string) || (value as string).endsWith('.'))) {
    return isInList ? 'field_message' : 'message';
  }
  // A field with the same string in every error isn't a code but a constant, such as `"type": "error"`.
  return !isInList && new Set(present.map(([value]) => value)).size > 1 ? 'code' : undefined;
}
