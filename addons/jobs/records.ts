import {
  type AnySchema,
  type CreateDocument,
  type Document,
  describeFieldErrors,
  fieldsOf,
  operationOf,
  parseDateTime,
  type Ticket,
  validate,
} from '../../src/contract/index.js';
import {
  type CallOptions,
  InvalidRequestError,
  type ListOptions,
  type NewTicket,
  type PageList,
  type Worktrack,
} from '../../src/index.js';
import { addMark, deploymentOf, isString, removeMark } from '../../src/internal.js';
import { asSet, hasUpdateField, readUpdateField } from '../shared/update-fields.js';
import { digestOf } from './digest.js';
import { boardFinder } from './find-board.js';

/** The ticket fields that a row sets. A sync can create archived tickets, but an import can't. */
export type SyncedTicket = NewTicket & { archived?: boolean | undefined };

/** The document fields that a row sets. A sync can create archived documents, but an import can't. */
export type SyncedDocument = CreateDocument & { archived?: boolean | undefined };

/** Where a job reads and writes its records. */
export type RecordScope =
  | { kind: 'ticket'; project: string }
  | { kind: 'document'; organization?: string | undefined; project?: string | undefined };

/** Values to write, by the fields' names in an update. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** How jobs read and write one kind of record. */
export interface RecordKind<Payload extends object, Found extends Ticket | Document> {
  scope: RecordScope;
  /** The name of what a book belongs to, such as `https://work.example.com tickets:prj_1`. */
  name: string;
  /** The field that contains the mark. */
  htmlField: 'description_html' | 'content_html';
  /** The fields that an update can write, by name. */
  fields: ReadonlyMap<string, RecordField<Found>>;
  /** Lists all records in the scope, 200 on a page. */
  list(options?: ListOptions): PageList<Found>;
  get(id: string, options?: CallOptions): Promise<Found>;
  /** Creates a record. Ignores `archived`, which only an update can set. */
  create(payload: Payload, options?: CallOptions): Promise<Found>;
  /** Updates a record, and moves a ticket if `board_id` is set. Needs at least one value. */
  update(id: string, values: FieldValues, options?: CallOptions): Promise<Found>;
  archive(id: string, options?: CallOptions): Promise<Found>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /**
   * Returns a payload as the values of an update, with IDs instead of slugs.
   *
   * @throws an error with `fieldErrors` if the project has no board with the payload's slug
   */
  valuesOf(payload: Payload, options?: CallOptions): Promise<FieldValues>;
  /** Returns what a create sent, in the format of an update, given the record that it created. */
  valuesSent(payload: Payload, created: Found): FieldValues;
  /** Returns the error that an update would throw because of invalid values. */
  check(values: FieldValues): InvalidRequestError | undefined;
}

/** How a field of a record is read and compared. */
export interface RecordField<Found> {
  name: string;
  /** Returns whether the record contains the field. Some servers leave fields out of lists. */
  isIn(record: Found): boolean;
  /** Returns the record's value in the format used in requests, without the record's mark. */
  read(record: Found): unknown;
  /**
   * Returns a value's digest. Two values have the same digest if they mean the same, such as two lists of
   * labels in different orders, or a date-time with and without milliseconds.
   */
  digest(value: unknown): string;
}

/**
 * Returns values with a mark at the end of the HTML, even if they have no HTML.
 *
 * @throws RangeError if the key isn't 1 to 200 characters long
 */
export function withMark<Values extends object>(
  { htmlField, scope }: Pick<RecordKind<never, never>, 'htmlField' | 'scope'>,
  values: Values,
  { source, key }: { source: string; key: string },
): Values {
  const html = (values as Record<string, unknown>)[htmlField];
  // A value that isn't a string is left as it is, so that it's rejected.
  if (html !== undefined && html !== null && !isString(html)) return values;
  return { ...values, [htmlField]: addMark(html, { kind: scope.kind, source, key }) };
}

/** The digests of a field's value as it was last sent, and as the server then returned it. */
export interface WrittenField {
  /** Empty if the row didn't set the field. */
  sent: string;
  stored: string;
}

/** What a book stores about a row. */
export interface RowValue {
  /** The ID of the row's record. */
  id?: string | undefined;
  fields?: Readonly<Record<string, WrittenField>> | undefined;
  /** The digest of the row's payload. */
  sourceDigest?: string | undefined;
  /** Why the row failed. */
  error?: string | undefined;
}

/** Returns what to store in a book after a record was written. */
export function writtenFields<Found extends Ticket | Document>(
  { fields }: Pick<RecordKind<never, Found>, 'fields'>,
  values: FieldValues,
  record: Found,
): Record<string, WrittenField> {
  const written: Record<string, WrittenField> = {};
  for (const [name, field] of fields) {
    if (!field.isIn(record)) continue;
    const sent = values[name] === undefined ? '' : field.digest(values[name]);
    written[name] = { sent, stored: field.digest(field.read(record)) };
  }
  return written;
}

/** Returns how jobs read and write a project's tickets. */
export function ticketKind(client: Worktrack, project: string): RecordKind<SyncedTicket, Ticket> {
  const findBoard = boardFinder(client, project);
  const names = [...updateFields('tickets.update'), 'board_id'];
  async function update(id: string, values: FieldValues, options?: CallOptions): Promise<Ticket> {
    const { board_id, ...rest } = values;
    if (board_id === undefined) return client.tickets.update(id, rest, options);
    if (Object.keys(rest).length > 0) await client.tickets.update(id, rest, options);
    return client.tickets.move(id, { board_id: String(board_id) }, options);
  }
  return {
    scope: { kind: 'ticket', project },
    name: `${baseUrlOf(client)} tickets:${project}`,
    htmlField: 'description_html',
    fields: new Map(names.map((name) => [name, recordField<Ticket>('ticket', name)])),
    list: (options) => client.tickets.list(project, { per_page: 200 }, options),
    get: async (id, options) => client.tickets.get(id, options),
    create: async ({ archived: _, ...ticket }, options) => client.tickets.create(project, ticket, options),
    update,
    archive: (id, options) => update(id, { archived: true }, options),
    delete: async (id, options) => client.tickets.delete(id, options),
    async valuesOf({ board_slug, ...values }, options) {
      return board_slug === undefined
        ? values
        : { ...values, board_id: await findBoard(board_slug, options) };
    },
    valuesSent: ({ board_slug: _, archived: __, ...values }, { board_id }) => ({ ...values, board_id }),
    check: ({ board_id: _, ...values }) => updateError('tickets.update', values),
  };
}

/**
 * Returns how jobs read and write documents.
 *
 * @param scope the organization (the client's by default), and the project that the documents belong to.
 * Without a project, all of the organization's documents are in the scope.
 */
export function documentKind(
  client: Worktrack,
  { organization, project }: { organization?: string | undefined; project?: string | undefined } = {},
): RecordKind<SyncedDocument, Document> {
  const inProject = project === undefined ? {} : { project_id: project };
  const update = async (id: string, values: FieldValues, options?: CallOptions) =>
    client.documents.update(id, values, options);
  return {
    scope: { kind: 'document', organization, project },
    name: [
      `${baseUrlOf(client)} documents`,
      organization ?? deploymentOf(client)?.organization ?? '',
      project ?? '',
    ]
      .join(':')
      .replace(/:+$/, ''),
    htmlField: 'content_html',
    fields: new Map(
      updateFields('documents.update').map((name) => [name, recordField<Document>('document', name)]),
    ),
    list: (options) => client.documents.list({ per_page: 200, ...inProject }, { ...options, organization }),
    get: async (id, options) => client.documents.get(id, options),
    create: async ({ archived: _, ...document }, options) =>
      client.documents.create({ ...inProject, ...document }, { ...options, organization }),
    update,
    archive: (id, options) => update(id, { archived: true }, options),
    delete: async (id, options) => client.documents.delete(id, options),
    valuesOf: async (values) => ({ ...inProject, ...values }),
    valuesSent: ({ archived: _, ...values }) => ({ ...inProject, ...values }),
    check: (values) => updateError('documents.update', values),
  };
}

/** A book that was used with one deployment says nothing about the records of another. */
const baseUrlOf = (client: Worktrack): string => deploymentOf(client)?.baseUrl ?? '';

type UpdateOperation = 'tickets.update' | 'documents.update';

const updateFields = (operation: UpdateOperation): string[] => [
  ...fieldsOf(operationOf(operation).body as AnySchema).keys(),
];

const recordField = <Found extends object>(kind: RecordScope['kind'], name: string): RecordField<Found> => ({
  name,
  isIn: (record) => hasUpdateField(record, name),
  read(record) {
    const value = readUpdateField(record, name);
    return name.endsWith('_html') && isString(value) ? removeMark(value, kind) : value;
  },
  digest: (value) => digestOfJson(normalize(name, value)),
});

function normalize(name: string, value: unknown): unknown {
  if (name.endsWith('_at')) return inSeconds(value);
  // Without its mark, a record that has no other text has an empty one.
  return name.endsWith('_html') && value === '' ? null : asSet(value);
}

/** Returns a short digest of a JSON value. */
export const digestOfJson = (value: unknown): string => digestOf(JSON.stringify(value) ?? '');

function updateError(operation: UpdateOperation, values: object): InvalidRequestError | undefined {
  const result = validate(operationOf(operation).body as AnySchema, values);
  if (result.ok) return undefined;
  const { fieldErrors } = result;
  const message = `${operation}: ${describeFieldErrors(fieldErrors)}`;
  return new InvalidRequestError(message, { operation, fieldErrors });
}

/** Normalizes a date-time in any format. Drops milliseconds, because servers may not store them. */
function inSeconds(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const time =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? timeOf(value) : Number.NaN;
  // An invalid value differs from all valid ones, so that it's written and the row fails.
  return Number.isNaN(time) ? { invalid: String(value) } : Math.floor(time / 1000);
}

function timeOf(text: string): number {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  // `Date` silently turns February 31 into March 3.
  if (day && !parseDateTime(`${day}T00:00:00Z`)) return Number.NaN;
  return (parseDateTime(text) ?? new Date(text)).getTime();
}
