import { errorCodes } from '../../src/contract/index.js';
import { defaultWire, type EnvelopeWire, type WireFormat } from '../../src/wire/index.js';
import { type Behavior, defaultBehavior } from '../rules/index.js';
import type { Settings } from '../state/rows.js';
import { adaptRules, type ListId, type RuleChanges } from './adapt-rules.js';
import {
  type ChoiceId,
  choiceIds,
  choices,
  type DeploymentChoices,
  type ErrorChoice,
  type ObservableCode,
  observableCodes,
  orders,
  type PageParameter,
  perCode,
  type Visibility,
} from './choices.js';
import { type Deployment, observedChoices } from './deployment.js';
import { ErrorCodeNames, errorFormat } from './error-format.js';
import {
  bodyOf,
  type ErrorFields,
  type PageFields,
  pathOf,
  type RecordFields,
  unrecognized,
  valueAt,
} from './fields.js';
import { pageFormat } from './page-format.js';

/** The parts of a mock server that depend on the emulated deployment. */
export interface Emulation {
  wire: WireFormat;
  behavior: Behavior;
  settings: Partial<Settings>;
}

/** Prepares the emulation of a deployment. Evaluates all choices up front instead of on every request. */
export function emulate(deployment: Deployment): Emulation {
  const { draft } = draftOf(deployment);
  return {
    wire: buildWire(draft),
    settings: draft.settings,
    behavior: {
      rules: adaptRules(defaultBehavior.rules, { ...draft.ruleChanges, shapes: deployment.shapes }),
      statuses: { ...errorCodes, ...draft.statuses },
      unknownFields: draft.unknownFields,
    },
  };
}

/** Returns a deployment's wire format, for the `wire` option of the client and the conformance kit. */
export const deploymentWire = (deployment: Pick<Deployment, 'choices'>): WireFormat =>
  buildWire(draftOf(deployment).draft);

/** Returns a sentence for each observed choice that the mock server can't emulate. */
export const limitsOf = (deployment: Pick<Deployment, 'choices'>): string[] => draftOf(deployment).limits;

/** The parts of an emulation that depend on the choices. */
interface Draft {
  recordFields?: RecordFields;
  pageFields?: PageFields;
  pageParameter?: PageParameter;
  errorFields?: ErrorFields;
  /** The deployment's error codes, keyed by the contract's codes. */
  codes: ReadonlyMap<string, string | null>;
  hasOwnCodes?: boolean;
  statuses: Partial<Record<ObservableCode, number>>;
  unknownFields: Behavior['unknownFields'];
  settings: { -readonly [Name in keyof Settings]?: Settings[Name] };
  ruleChanges: Omit<RuleChanges, 'shapes'>;
}

/**
 * Emulates a choice by changing the draft. Returns a description of what the mock server can't emulate, if
 * anything.
 */
type Emulate<Value> = (value: Value, draft: Draft) => string | undefined;

function draftOf(deployment: Pick<Deployment, 'choices'>): { draft: Draft; limits: string[] } {
  const observed = observedChoices(deployment);
  const codes = observableCodes.flatMap((code) => {
    const choice = observed[`error.${code}`];
    return choice ? [[code, choice.code] as const] : [];
  });
  const draft: Draft = {
    codes: new Map(codes),
    statuses: {},
    unknownFields: 'ignored',
    settings: {},
    ruleChanges: { lists: {} },
  };
  const limits = choiceIds.flatMap((id) => {
    const value = observed[id];
    // Skip choices that match the mock server's default behavior.
    if (value === undefined || isSame(value, choices[id].mockValue)) return [];
    const limit = (emulations[id] as Emulate<unknown>)(value, draft);
    return limit === undefined ? [] : [`${choices[id].title}: ${limit}`];
  });
  return { draft, limits };
}

const emulations: { readonly [Id in ChoiceId]: Emulate<DeploymentChoices[Id]> } = {
  recordFields: emulateFields('recordFields'),
  pageFields: emulateFields('pageFields'),
  pageParameter: (parameter, draft) => set(draft, 'pageParameter', parameter),
  pastLastPage: (response, { ruleChanges }) => set(ruleChanges, 'pastLastPage', response),
  errorFields: emulateFields('errorFields'),
  emptyFields: (fields, { ruleChanges }) => set(ruleChanges, 'omitsNull', fields === 'omitted'),
  timestampFormat: (format, { ruleChanges }) => {
    if (!/^0000-00-00[T ]00:00:00(\.0{1,9})?(Z|[+-]00:?00)?$/.test(format)) return `the format ${format}`;
    return set(ruleChanges, 'timestampFormat', format);
  },
  firstPosition: (position, { ruleChanges }) => set(ruleChanges, 'firstPosition', position),
  defaultBoards: (boards, { settings }) => set(settings, 'defaultBoards', boards),
  boardForNewTickets: (slug, { settings }) => set(settings, 'defaultBoard', slug),
  boardSlugs: (slugs, { settings }) => set(settings, 'slugs', slugs),
  ticketOrder: emulateOrder('tickets.list'),
  documentOrder: emulateOrder('documents.list'),
  projectOrder: emulateOrder('projects.list'),
  archivedTickets: emulateVisibility('tickets.list'),
  archivedDocuments: emulateVisibility('documents.list'),
  archivedProjects: emulateVisibility('projects.list'),
  hiddenBoards: emulateVisibility('boards.list'),
  archivedTicketsInWipLimit: (value, { settings }) =>
    set(settings, 'ignoresArchivedInLimits', value === 'not_counted'),
  emptyStrings: (value, { ruleChanges }) => set(ruleChanges, 'rejectsEmptyStrings', value === 'rejected'),
  unknownFields: (value, draft) => set(draft, 'unknownFields', value),
  ...perCode(emulateError),
};

/** Sets a field. Returns undefined, meaning that nothing is missing from the emulation. */
function set<Target, Name extends keyof Target>(target: Target, name: Name, value: Target[Name]): undefined {
  target[name] = value;
}

function emulateError(code: ObservableCode): Emulate<ErrorChoice> {
  return (choice, draft) => {
    if (choice.status < 400) {
      return `the mock server rejects the request, but the deployment returns ${choice.status}`;
    }
    draft.statuses[code] = choice.status;
    draft.hasOwnCodes ||= choice.code !== code;
    return undefined;
  };
}

function emulateOrder(list: ListId): Emulate<string> {
  return (name, { ruleChanges: { lists } }) => {
    const order = orders.find((other) => other === name);
    if (!order) return `the mock server uses its own order, but the deployment uses the order ${name}`;
    return set(lists, list, { ...lists[list], order });
  };
}

function emulateVisibility(list: ListId): Emulate<Visibility> {
  return (value, { ruleChanges: { lists } }) =>
    set(lists, list, { ...lists[list], hides: value === 'hidden' });
}

function emulateFields<Name extends 'recordFields' | 'pageFields' | 'errorFields'>(
  name: Name,
): Emulate<NonNullable<Draft[Name]>> {
  return (fields, draft) => {
    set(draft, name, fields);
    const paths = Object.keys(fields).filter((path) => fields[path] === unrecognized);
    return paths.length === 0 ? undefined : `the mock server omits ${paths.join(', ')}`;
  };
}

function buildWire(draft: Draft): WireFormat {
  const { recordFields, errorFields, hasOwnCodes, codes } = draft;
  const pageFields = draft.pageFields ?? choices.pageFields.mockValue;
  const pageParameter = draft.pageParameter ?? choices.pageParameter.mockValue;
  return {
    ...defaultWire,
    ...(recordFields && { envelope: envelopeWith(recordFields) }),
    ...((draft.pageFields || draft.pageParameter) && { page: pageFormat(pageFields, pageParameter) }),
    ...((errorFields || hasOwnCodes) && {
      error: errorFormat(errorFields ?? choices.errorFields.mockValue, new ErrorCodeNames(codes)),
    }),
  };
}

function envelopeWith(fields: RecordFields): EnvelopeWire {
  const recordPath = pathOf(fields, 'record') ?? '';
  const constants = { true: true, false: false, null: null };
  const around = Object.entries(fields).flatMap(([path, fact]) =>
    fact in constants ? [[path, constants[fact as keyof typeof constants]] as const] : [],
  );
  return {
    encode: (data) => bodyOf([...around, [recordPath, data]]),
    decode(body) {
      const data = valueAt(body, recordPath);
      return data === undefined ? undefined : { data };
    },
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
