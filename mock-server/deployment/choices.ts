import * as z from 'zod/mini';
import { type ErrorCode, errorCodes } from '../../src/contract/index.js';
import type { BoardTemplate, SlugRules } from '../state/rows.js';
import {
  type ErrorFields,
  errorFields,
  type PageFields,
  pageFields,
  type RecordFields,
  recordFields,
} from './fields.js';

/** A deployment's behavior in all cases that the API's specification leaves open. Each field is a choice. */
export interface DeploymentChoices extends ErrorChoices {
  /** The content of each field in the envelope around a record or an unpaginated list, keyed by path. */
  recordFields: RecordFields;
  /** The content of each field in a page, keyed by path. */
  pageFields: PageFields;
  pageParameter: PageParameter;
  /** The response to a request for a page after the last one. */
  pastLastPage: 'empty' | 'last_page' | 'not_found' | 'rejected';
  /** The content of each field in an error response, keyed by path. */
  errorFields: ErrorFields;
  /** Whether fields without a value are null or omitted. */
  emptyFields: 'null' | 'omitted';
  /** A date-time in which every digit is 0, such as `0000-00-00T00:00:00.000Z`. */
  timestampFormat: string;
  /** The position of the first record in a list. */
  firstPosition: number;
  /** The boards of a new project. */
  defaultBoards: readonly BoardTemplate[];
  /** The slug of the board for tickets created without a board, or null if the board is required. */
  boardForNewTickets: string | null;
  boardSlugs: SlugRules;
  ticketOrder: string;
  documentOrder: string;
  projectOrder: string;
  /** Whether lists contain archived tickets. */
  archivedTickets: Visibility;
  archivedDocuments: Visibility;
  archivedProjects: Visibility;
  /** Whether `boards.list` contains hidden boards. */
  hiddenBoards: Visibility;
  /** Whether archived tickets count toward a board's WIP limit. */
  archivedTicketsInWipLimit: 'counted' | 'not_counted';
  /** Whether a required string can be empty. */
  emptyStrings: 'accepted' | 'rejected';
  /** How unknown fields in a request body are handled. */
  unknownFields: 'ignored' | 'rejected';
}

export type ChoiceId = keyof DeploymentChoices;

/** The response to each kind of invalid request. */
export type ErrorChoices = { [Code in ObservableCode as `error.${Code}`]: ErrorChoice };

export interface ErrorChoice {
  status: number;
  /** The error code in the body, or null if there is none. */
  code: string | null;
}

/** The query parameter that selects a page of a list. */
export interface PageParameter {
  /** The name of the query parameter. */
  name: string;
  /**
   * What the parameter contains:
   *
   * - `page`: a page number, starting at 1
   * - `page_index`: a page number, starting at 0
   * - `offset`: the number of items to skip
   * - `cursor`: a string from the previous page
   */
  value: 'page' | 'page_index' | 'offset' | 'cursor';
}

export type Visibility = 'listed' | 'hidden';

/** The errors that a calibration can cause without changing existing data, with what causes them. */
const causes = {
  not_found: 'an unknown ID',
  invalid_credential: 'an unknown token',
  wrong_organization: 'access to another organization',
  malformed_json: "a body that isn't valid JSON",
  validation_failed: 'a missing field',
  invalid_relation: 'an unknown assignee',
  invalid_board: 'an unknown board',
  wip_limit_reached: 'creating a ticket on a full board',
  invalid_board_list: 'an incomplete list of boards',
  invalid_ticket_list: 'an incomplete list of tickets',
  target_board_required: 'deleting a board with tickets',
  invalid_target_board: 'an unknown target board',
} satisfies Partial<Record<ErrorCode, string>>;

export type ObservableCode = keyof typeof causes;
export const observableCodes = Object.keys(causes) as ObservableCode[];

/** The sort orders that the mock server can emulate. */
export const orders = [
  'board_and_position',
  'oldest_first',
  'newest_first',
  'recently_updated_first',
  'name',
] as const;

export type Order = (typeof orders)[number];

interface ChoiceRow<Value> {
  /** The title in reports, where it's used as the subject of a sentence. */
  title: string;
  schema: z.ZodMiniType<Value>;
  /** The value that the mock server uses by default. */
  mockValue: Value;
}

const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) => z.enum(values);
const text = z.string();
const visibility = oneOf('listed', 'hidden');

/**
 * The choices, with their titles in reports, their schemas in `deployment.json`, and the mock server's
 * values.
 */
export const choices: { readonly [Id in ChoiceId]: ChoiceRow<DeploymentChoices[Id]> } = {
  recordFields: {
    title: 'the envelope fields around a record',
    schema: recordFields.schema,
    mockValue: recordFields.mockValue,
  },
  pageFields: { title: 'the fields of a page', schema: pageFields.schema, mockValue: pageFields.mockValue },
  pageParameter: {
    title: 'the parameter that selects a page',
    schema: z.strictObject({ name: text, value: oneOf('page', 'page_index', 'offset', 'cursor') }),
    mockValue: { name: 'page', value: 'page' },
  },
  pastLastPage: {
    title: 'the response to a page after the last one',
    schema: oneOf('empty', 'last_page', 'not_found', 'rejected'),
    mockValue: 'empty',
  },
  errorFields: {
    title: 'the fields of an error response',
    schema: errorFields.schema,
    mockValue: errorFields.mockValue,
  },
  emptyFields: {
    title: 'fields without a value',
    schema: oneOf('null', 'omitted'),
    mockValue: 'null',
  },
  timestampFormat: {
    title: 'the format of date-times',
    schema: text,
    mockValue: '0000-00-00T00:00:00.000Z',
  },
  firstPosition: { title: 'the first position in a list', schema: z.int(), mockValue: 0 },
  defaultBoards: {
    title: 'the boards of a new project',
    schema: z.array(
      z.strictObject({
        name: text,
        slug: z.optional(text),
        color: z.optional(z.nullable(text)),
        wip_limit: z.optional(z.nullable(z.int())),
        is_done: z.optional(z.boolean()),
        is_hidden: z.optional(z.boolean()),
      } satisfies Record<keyof BoardTemplate, z.core.$ZodType>),
    ) as z.ZodMiniType<readonly BoardTemplate[]>,
    mockValue: [],
  },
  boardForNewTickets: {
    title: 'the board for tickets created without a board',
    schema: z.nullable(text),
    mockValue: null,
  },
  boardSlugs: {
    title: 'the slugs of boards',
    schema: z.strictObject({ separator: text, fallback: text, firstSuffix: z.int() }),
    mockValue: { separator: '-', fallback: 'board', firstSuffix: 2 },
  },
  ticketOrder: { title: 'the order of tickets', schema: text, mockValue: 'board_and_position' },
  documentOrder: { title: 'the order of documents', schema: text, mockValue: 'oldest_first' },
  projectOrder: { title: 'the order of projects', schema: text, mockValue: 'oldest_first' },
  archivedTickets: { title: 'archived tickets in lists', schema: visibility, mockValue: 'listed' },
  archivedDocuments: { title: 'archived documents in lists', schema: visibility, mockValue: 'listed' },
  archivedProjects: { title: 'archived projects in lists', schema: visibility, mockValue: 'listed' },
  hiddenBoards: { title: 'hidden boards in lists', schema: visibility, mockValue: 'listed' },
  archivedTicketsInWipLimit: {
    title: 'archived tickets in WIP limits',
    schema: oneOf('counted', 'not_counted'),
    mockValue: 'counted',
  },
  emptyStrings: {
    title: 'an empty string for a required field',
    schema: oneOf('accepted', 'rejected'),
    mockValue: 'accepted',
  },
  unknownFields: {
    title: 'unknown fields in a request',
    schema: oneOf('ignored', 'rejected'),
    mockValue: 'ignored',
  },
  ...perCode((code) => ({
    title: `the response to ${causes[code]}`,
    schema: z.strictObject({ status: z.int(), code: z.nullable(text) }),
    mockValue: { status: errorCodes[code], code },
  })),
};

export const choiceIds = Object.keys(choices) as ChoiceId[];

/** Creates a row for each observable error code. */
export function perCode<Row>(rowOf: (code: ObservableCode) => Row) {
  return Object.fromEntries(observableCodes.map((code) => [`error.${code}`, rowOf(code)])) as {
    [Id in keyof ErrorChoices]: Row;
  };
}
