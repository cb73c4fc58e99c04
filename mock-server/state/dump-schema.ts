import * as z from 'zod/mini';
import {
  dateTime,
  type OperationId,
  operationOf,
  type Schema,
  scopes,
  validate,
} from '../../src/contract/index.js';
import { definitionOf } from '../../src/contract/zod-internals.js';
import { isObject } from '../../src/shared/json.js';
import { checkReferences } from './check-references.js';
import { milliseconds } from './clock.js';
import { InvalidInputError } from './invalid-input-error.js';
import type { BoardTemplate, Settings, SlugRules } from './rows.js';
import type { RowList, StateDump } from './state-dump.js';

/** Returns the contract's schemas for the fields of the record that the operation returns. */
function recordFields(operation: OperationId): Record<string, z.core.$ZodType> {
  const { position: _, ...fields } = definitionOf(operationOf(operation).response as object).shape ?? {};
  return fields;
}

const string = z.string();
const id = z.string().check(z.minLength(1));
const nullableString = z.nullable(z.string());
const count = z.int().check(z.minimum(0));
const moment = dateTime();
const nullableMoment = z.nullable(moment);
const timestamps = { created_at: moment, updated_at: moment };
const reference = z.object({ id, name: string });
const actor = z.nullable(z.object({ type: string, id: z.nullable(id), name: nullableString }));
const label = z.object({ id, name: string, color: nullableString });

const board = z.object({
  name: string,
  slug: z.optional(string),
  color: z.optional(nullableString),
  wip_limit: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  is_done: z.optional(z.boolean()),
  is_hidden: z.optional(z.boolean()),
} satisfies Record<keyof Required<BoardTemplate>, z.core.$ZodType>);

const settings = z.object({
  defaultBoards: z.array(board),
  slugStyle: z.enum(['kebab-case', 'snake_case']),
  defaultBoard: nullableString,
  slugs: z.optional(
    z.object({ separator: string, fallback: string, firstSuffix: z.int() } satisfies Record<
      keyof SlugRules,
      z.core.$ZodType
    >),
  ),
  ignoresArchivedInLimits: z.optional(z.boolean()),
} satisfies Record<keyof Required<Settings>, z.core.$ZodType>);

const rows = {
  organizations: z.object({
    ...recordFields('organization.get'),
    id,
    users: z.array(id),
    ...timestamps,
  }),
  users: z.object({ id, organization_id: id, name: string, email: nullableString, role: string }),
  credentials: z.object({
    id,
    organization_id: id,
    token: id,
    name: string,
    scopes: z.array(z.enum(scopes)),
  }),
  documentTags: z.object({ key: string, tag: reference }),
  projects: z.object({
    ...recordFields('projects.get'),
    id,
    organization_id: id,
    archived_at: nullableMoment,
    deleted_at: nullableMoment,
    members: z.array(id),
    labels: z.array(label),
    boards: z.array(id),
    tags: z.array(reference),
    lastNumber: count,
    ...timestamps,
  }),
  boards: z.object({
    ...recordFields('boards.create'),
    id,
    project_id: id,
    wip_limit: z.nullable(z.int().check(z.minimum(1))),
    deleted_at: nullableMoment,
    ...timestamps,
  }),
  tickets: z.object({
    ...recordFields('tickets.get'),
    id,
    project_id: id,
    board_id: id,
    number: z.int().check(z.minimum(1)),
    due_at: nullableMoment,
    started_at: nullableMoment,
    completed_at: nullableMoment,
    creator: actor,
    assignees: z.array(reference),
    labels: z.array(label),
    tags: z.array(reference),
    archived_at: nullableMoment,
    deleted_at: nullableMoment,
    ...timestamps,
  }),
  documents: z.object({
    ...recordFields('documents.get'),
    id,
    organization_id: id,
    project_id: z.nullable(id),
    author: actor,
    tags: z.array(reference),
    editors: z.array(reference),
    published_at: nullableMoment,
    archived_at: nullableMoment,
    deleted_at: nullableMoment,
    ordinal: count,
    ...timestamps,
  }),
  comments: z.object({
    id,
    ticket_id: z.optional(id),
    document_id: z.optional(id),
    body_html: string,
    author: actor,
    created_at: moment,
  }),
  notifications: z.object({
    id,
    organization_id: id,
    user_id: id,
    title: string,
    body: string,
    url: nullableString,
    created_at: moment,
  }),
} satisfies Record<RowList, z.ZodMiniObject>;

/** The schema of an exported state. The clock's time and references between rows are checked separately. */
const dumpSchema = z.object({
  clock: z.object({}),
  ordinal: count,
  settings: z.optional(settings),
  ids: z.object({ time: z.int().check(z.minimum(-1)), high: count, low: count, random: z.int() }),
  ...Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, z.array(row)])),
}) as unknown as Schema<StateDump, never>;

/**
 * Checks that a value is a valid exported state, including all of its rows and references.
 *
 * @throws TypeError if it isn't; the message says what is missing or invalid
 */
export function requireDump(value: unknown): asserts value is StateDump {
  if (!isObject(value) || value.format !== 'worktrack-state') {
    throw new InvalidInputError('not an exported state');
  }
  if (value.version !== 1) throw new InvalidInputError(`state.version ${value.version} isn't supported`);
  const result = validate(dumpSchema, value);
  if (!result.ok) {
    const [[field, [message]]] = Object.entries(result.fieldErrors) as [[string, [string]]];
    throw new InvalidInputError(`state.${field.replace(/\.(\d+)(?=\.|$)/g, '[$1]')} ${message}`);
  }
  requireClock(value.clock as Record<string, unknown>);
  checkReferences(value as unknown as StateDump);
}

/** Rejects times that timestamps can't represent, because every later request would fail. */
function requireClock({ frozen, offset }: Record<string, unknown>): void {
  try {
    if (frozen !== undefined) milliseconds(numberOrNaN(frozen));
    const shift = numberOrNaN(offset);
    // A running clock may have reached the last instant since the state was exported. It stops there.
    milliseconds(shift > 0 ? shift : Date.now() + shift);
  } catch {
    throw new InvalidInputError('state.clock is outside the years 0 to 9999');
  }
}

const numberOrNaN = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
