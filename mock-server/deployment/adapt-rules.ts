import { fieldsOf, type OperationId, operationIds, operationOf } from '../../src/contract/index.js';
import { definitionOf } from '../../src/contract/zod-internals.js';
import { isObject, type JsonObject } from '../../src/shared/json.js';
import { invalidFields, RejectedRequest } from '../rules/rejected-request.js';
import { pageOf, type RulePage, type Rules } from '../rules/rule.js';
import type { State } from '../state/state.js';
import type { DeploymentChoices, Order } from './choices.js';
import { setOwn } from './fields.js';
import { type Shapes, toShape } from './shape.js';

/** How a deployment's behavior differs from the mock server's rules. */
export interface RuleChanges {
  /** The fields of each operation's result. */
  shapes: Shapes;
  /** The order of each list, and whether it omits archived or hidden records. */
  lists: { [Id in ListId]?: { order?: Order; hides?: boolean } };
  pastLastPage?: DeploymentChoices['pastLastPage'];
  omitsNull?: boolean;
  timestampFormat?: string;
  firstPosition?: number;
  rejectsEmptyStrings?: boolean;
}

type AnyRule = (call: AnyCall) => unknown;

interface AnyCall {
  state: State;
  query: { page?: number; per_page?: number } | undefined;
  body: unknown;
}

/** Returns a deployment's rules. Operations whose behavior doesn't differ keep their original functions. */
export function adaptRules(rules: Rules, changes: RuleChanges): Rules {
  const adapt = (id: OperationId): AnyRule => {
    let rule = rules[id] as unknown as AnyRule;
    if (changes.rejectsEmptyStrings) rule = rejectEmptyStrings(id, rule);
    rule = adaptList(id, rule, changes);
    return adaptRecords(id, rule, changes);
  };
  return Object.fromEntries(operationIds.map((id) => [id, adapt(id)])) as unknown as Rules;
}

function rejectEmptyStrings(id: OperationId, rule: AnyRule): AnyRule {
  const { body } = operationOf(id);
  const types = body ? [...fieldsOf(body)] : [];
  const shape = body ? (definitionOf(body).shape ?? {}) : {};
  const required = types.filter(
    ([name, type]) => type === 'string' && shape[name] && definitionOf(shape[name]).type !== 'optional',
  );
  if (required.length === 0) return rule;
  return (call) => {
    const empty = required.filter(([name]) => isObject(call.body) && call.body[name] === '');
    if (empty.length > 0) {
      throw invalidFields(
        'validation_failed',
        Object.fromEntries(empty.map(([name]) => [name, ['is required']])),
      );
    }
    return rule(call);
  };
}

/** The rules that return lists, and the tables that contain their records. */
const tables = {
  'tickets.list': 'tickets',
  'documents.list': 'documents',
  'projects.list': 'projects',
  'boards.list': 'boards',
} as const satisfies { [Id in OperationId]?: keyof State };

export type ListId = keyof typeof tables;

/** The fields that determine which records a list contains and how they're sorted. */
interface ListedRecord {
  id: string;
  name?: string;
  title?: string;
  archived_at?: string | null;
  is_hidden?: boolean;
  updated_at: string;
}

function adaptList(id: OperationId, rule: AnyRule, changes: RuleChanges): AnyRule {
  if (!(id in tables)) return rule;
  const table = tables[id as ListId];
  const { order, hides = false } = changes.lists[id as ListId] ?? {};
  const { pastLastPage = 'empty' } = changes;
  const isListed = (record: ListedRecord) => !hides || (!record.archived_at && record.is_hidden !== true);
  const arrange = (all: ListedRecord[], state: State) => {
    const listed = all.filter(isListed);
    return order ? sort(listed, order, ({ id: recordId }) => state[table].slotOf(recordId)) : listed;
  };
  const { paginated } = operationOf(id);
  if (!order && !hides && (!paginated || pastLastPage === 'empty')) return rule;
  if (!paginated) return (call) => arrange(rule(call) as ListedRecord[], call.state);
  return (call) => {
    const { query = {} } = call;
    const everything = { ...query, page: 1, per_page: Number.MAX_SAFE_INTEGER };
    const { items } = rule({ ...call, query: everything }) as RulePage<ListedRecord>;
    const all = arrange(items, call.state);
    const { from, count } = pageOf(query);
    if (from >= all.length && from > 0) {
      if (pastLastPage === 'not_found')
        throw new RejectedRequest('not_found', 'This page is after the last one.');
      if (pastLastPage === 'rejected') {
        throw invalidFields('validation_failed', { page: ['must not be greater than the last page'] });
      }
      if (pastLastPage === 'last_page') query.page = Math.max(1, Math.ceil(all.length / count));
    }
    const start = pageOf(query).from;
    return { items: all.slice(start, start + count), total: all.length };
  };
}

/** @param ordinalOf returns a number that's higher for records that were created later */
function sort(
  records: ListedRecord[],
  order: Order,
  ordinalOf: (record: ListedRecord) => number,
): ListedRecord[] {
  const nameOf = ({ name, title }: ListedRecord) => name ?? title ?? '';
  const compare: Record<Order, (one: ListedRecord, other: ListedRecord) => number> = {
    board_and_position: () => 0,
    oldest_first: (one, other) => ordinalOf(one) - ordinalOf(other),
    newest_first: (one, other) => ordinalOf(other) - ordinalOf(one),
    recently_updated_first: (one, other) =>
      Date.parse(other.updated_at) - Date.parse(one.updated_at) || ordinalOf(other) - ordinalOf(one),
    name: (one, other) => nameOf(one).localeCompare(nameOf(other), 'en') || ordinalOf(one) - ordinalOf(other),
  };
  return records.sort(compare[order]);
}

/** Changes the positions, date-times, and fields of the records in an operation's result. */
function adaptRecords(id: OperationId, rule: AnyRule, changes: RuleChanges): AnyRule {
  const shape = changes.shapes[id];
  const steps = [
    ...(changes.firstPosition === undefined ? [] : [shiftPositions(changes.firstPosition)]),
    ...(changes.timestampFormat === undefined ? [] : [formatTimestamps(changes.timestampFormat)]),
    ...(shape ? [toShape(shape, changes.omitsNull ? operationOf(id).response : undefined)] : []),
    ...(changes.omitsNull ? [omitNull] : []),
  ];
  if (steps.length === 0) return rule;
  const change = (data: unknown) => steps.reduce((value, step) => step(value), data);
  if (!operationOf(id).paginated) return (call) => change(rule(call));
  return (call) => {
    const page = rule(call) as RulePage<unknown>;
    return { ...page, items: change(page.items) };
  };
}

type Change = (name: string, value: unknown) => unknown;

/** Applies a function to the fields of all objects in a value. Omits fields that become undefined. */
function mapFields(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((item) => mapFields(item, change));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [name, content] of Object.entries(value)) {
    const changed = change(name, mapFields(content, change));
    if (changed !== undefined) setOwn(result, name, changed);
  }
  return result;
}

const omitNull = (data: unknown) => mapFields(data, (_, value) => (value === null ? undefined : value));

const shiftPositions = (first: number) => (data: unknown) =>
  mapFields(data, (name, value) =>
    name === 'position' && typeof value === 'number' ? value + first : value,
  );

/** @param format a date-time in which every digit is 0 */
function formatTimestamps(format: string) {
  const [, separator = 'T', fraction = '', zone = ''] = /^[\d-]+(T| )[\d:]+(\.0+)?(.*)$/.exec(format) ?? [];
  const digits = Math.max(0, fraction.length - 1);
  return (data: unknown) =>
    mapFields(data, (name, value) => {
      if (typeof value !== 'string' || !name.endsWith('_at')) return value;
      const [, date, time, milliseconds = ''] = /^(.*)T(.*)\.(\d{3})Z$/.exec(value) ?? [];
      if (date === undefined) return value;
      const rest = digits === 0 ? '' : `.${milliseconds.padEnd(digits, '0').slice(0, digits)}`;
      return `${date}${separator}${time}${rest}${zone}`;
    });
}
