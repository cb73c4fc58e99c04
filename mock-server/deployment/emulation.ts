import {
  errorCodes,
  fieldsOf,
  type OperationId,
  operationIds,
  operationOf,
} from '../../src/contract/index.js';
import { definitionOf } from '../../src/contract/zod-internals.js';
import { isObject } from '../../src/shared/json.js';
import { defaultWire, type WireFormat } from '../../src/wire/index.js';
import { type Behavior, defaultBehavior } from '../rules/index.js';
import { invalidFields, RejectedRequest } from '../rules/rejected-request.js';
import { pageOf, type RulePage, type Rules } from '../rules/rule.js';
import type { Settings } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { Deployment, DeploymentSettings, SettingName } from './deployment.js';
import { errorEnvelopes, pageEnvelopes, recordEnvelopes } from './envelopes.js';

/** The parts of a mock server that depend on the deployment's settings. */
export interface Emulation {
  wire: WireFormat;
  behavior: Behavior;
  settings: Partial<Settings>;
}

/** Prepares a mock server that behaves like the deployment. */
export function emulate(deployment: Deployment): Emulation {
  const { statuses, unknownFields = 'ignored' } = deployment;
  return {
    wire: deploymentWire(deployment),
    settings: stateSettings(deployment),
    behavior: {
      rules: adaptRules(defaultBehavior.rules, deployment),
      statuses: { ...errorCodes, ...statuses },
      unknownFields,
    },
  };
}

/** Returns a deployment's wire format, for the `wire` option of the client and the conformance kit. */
export function deploymentWire(deployment: Deployment): WireFormat {
  const { recordEnvelope = 'data', pageEnvelope = 'nested', errorEnvelope = 'flat' } = deployment;
  return {
    ...defaultWire,
    envelope: recordEnvelopes[recordEnvelope],
    page: pageEnvelopes[pageEnvelope],
    error: errorEnvelopes[errorEnvelope],
  };
}

/** Returns the settings that the rules read from the state. */
function stateSettings({
  defaultBoards,
  boardForNewTickets,
  slugs,
  archivedInWipLimits,
}: Deployment): Partial<Settings> {
  return {
    ...(defaultBoards && { defaultBoards }),
    ...(boardForNewTickets !== undefined && { defaultBoard: boardForNewTickets }),
    ...(slugs && { slugs }),
    ...(archivedInWipLimits && { ignoresArchivedInLimits: archivedInWipLimits === 'not_counted' }),
  };
}

type AnyRule = (call: AnyCall) => unknown;

interface AnyCall {
  state: State;
  credential: { organization_id: string };
  query: { page?: number; per_page?: number } | undefined;
  body: unknown;
}

/** Returns an operation's rule, changed for a setting. */
type Adapt = (id: OperationId, rule: AnyRule) => AnyRule;

/** The settings that change the rules' arguments or results, with the values that differ from the rules. */
const adaptations: { [Name in SettingName]?: { [Value in DeploymentSettings[Name] & string]?: Adapt } } = {
  emptyStrings: { rejected: rejectEmptyStrings },
  archivedInLists: { hidden: hideArchived },
  hiddenBoards: { hidden: hideHiddenBoards },
  listOrder: { newest_first: listNewestFirst },
  pastLastPage: { not_found: afterLastPage(notFound), rejected: afterLastPage(pageTooLarge) },
  creator: { owner: creditOwner },
  emptyFields: { omitted: omitEmptyFields },
};

/** Operations whose behavior doesn't differ keep their original functions. */
function adaptRules(rules: Rules, deployment: Deployment): Rules {
  const adapts = Object.entries(adaptations).flatMap(([name, byValue]) => {
    const value = deployment[name as SettingName];
    const adapt = (byValue as Record<string, Adapt>)[value as string];
    return adapt ? [adapt] : [];
  });
  const ruleOf = (id: OperationId) =>
    adapts.reduce((rule, adapt) => adapt(id, rule), rules[id] as unknown as AnyRule);
  return Object.fromEntries(operationIds.map((id) => [id, ruleOf(id)])) as unknown as Rules;
}

function rejectEmptyStrings(id: OperationId, rule: AnyRule): AnyRule {
  const { body } = operationOf(id);
  if (!body) return rule;
  const { shape = {} } = definitionOf(body);
  const required = [...fieldsOf(body)].filter(
    ([name, type]) => type === 'string' && shape[name] && definitionOf(shape[name]).type !== 'optional',
  );
  return (call) => {
    const empty = required.filter(([name]) => isObject(call.body) && call.body[name] === '');
    const errors = Object.fromEntries(empty.map(([name]) => [name, ['is required']]));
    if (empty.length > 0) throw invalidFields('validation_failed', errors);
    return rule(call);
  };
}

interface Listed {
  archived_at?: string | null;
  is_hidden?: boolean;
}

/** Changes a complete list, and returns the page that the request asked for. */
function changeList(id: OperationId, rule: AnyRule, change: (items: Listed[]) => Listed[]): AnyRule {
  if (!operationOf(id).paginated) return (call) => change(rule(call) as Listed[]);
  return (call) => {
    const query = { ...call.query, page: 1, per_page: Number.MAX_SAFE_INTEGER };
    const items = change((rule({ ...call, query }) as RulePage<Listed>).items);
    const { from, count } = pageOf(call.query ?? {});
    return { items: items.slice(from, from + count), total: items.length };
  };
}

function hideArchived(id: OperationId, rule: AnyRule): AnyRule {
  const lists: OperationId[] = ['tickets.list', 'documents.list', 'projects.list'];
  if (!lists.includes(id)) return rule;
  return changeList(id, rule, (items) => items.filter(({ archived_at }) => !archived_at));
}

function hideHiddenBoards(id: OperationId, rule: AnyRule): AnyRule {
  if (id !== 'boards.list') return rule;
  return changeList(id, rule, (items) => items.filter(({ is_hidden }) => !is_hidden));
}

function listNewestFirst(id: OperationId, rule: AnyRule): AnyRule {
  if (id !== 'documents.list' && id !== 'projects.list') return rule;
  return changeList(id, rule, (items) => [...items].reverse());
}

function afterLastPage(errorOf: () => RejectedRequest): Adapt {
  return (id, rule) => {
    if (!operationOf(id).paginated) return rule;
    return (call) => {
      const result = rule(call) as RulePage<unknown>;
      const { from } = pageOf(call.query ?? {});
      if (from > 0 && from >= result.total) throw errorOf();
      return result;
    };
  };
}

function notFound(): RejectedRequest {
  return new RejectedRequest('not_found', 'This page is after the last one.');
}

function pageTooLarge(): RejectedRequest {
  return invalidFields('validation_failed', { page: ['must not be greater than the last page'] });
}

/** Replaces the creator of tickets and the author of documents. */
function creditOwner(id: OperationId, rule: AnyRule): AnyRule {
  if (!/^(tickets|documents)\./.test(id) || id.includes('.comments.')) return rule;
  return (call) => {
    const owner = [...call.state.users.values()].find(
      (user) => user.organization_id === call.credential.organization_id && user.role === 'owner',
    );
    const actor = owner && { type: 'user', id: owner.id, name: owner.name };
    const credit = (record: unknown) => ({
      ...(record as object),
      ...(isObject(record) && 'creator' in record && { creator: actor }),
      ...(isObject(record) && 'author' in record && { author: actor, author_id: actor?.id }),
    });
    const result = rule(call);
    if (!actor || !isObject(result)) return result;
    return operationOf(id).paginated
      ? { ...result, items: (result.items as unknown[]).map(credit) }
      : credit(result);
  };
}

function omitEmptyFields(id: OperationId, rule: AnyRule): AnyRule {
  if (!operationOf(id).paginated) return (call) => withoutNull(rule(call));
  return (call) => {
    const page = rule(call) as RulePage<unknown>;
    return { ...page, items: withoutNull(page.items) };
  };
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, content]) => content !== null);
  return Object.fromEntries(present.map(([name, content]) => [name, withoutNull(content)]));
}
