import { readFileSync } from 'node:fs';
import { type OperationId, operationIds, operationOf } from '../../../src/contract/index.js';
import { groupBy } from '../../shared/lists.js';
import { type ReferenceKind, referenceKinds } from '../../shared/lookup.js';

/** A query or body field, which becomes a command-line option. */
export interface Field {
  name: string;
  type: 'string' | 'integer' | 'boolean' | 'array';
  isDate: boolean;
  nullable: boolean;
  required: boolean;
  description: string;
  values: readonly string[];
}

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  description?: string;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  allOf?: JsonSchema[];
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  example?: unknown;
  schema: JsonSchema;
}

/** The operation IDs, grouped by namespace, such as `tickets` for `tickets.list`. */
export const namespaces: ReadonlyMap<string, readonly OperationId[]> = groupBy(
  operationIds,
  (id) => id.split('.')[0] as string,
);

/**
 * Returns an operation's path parameters, which become positional arguments. Excludes the organization,
 * which is an option.
 */
export const positionalsOf = (id: OperationId): readonly string[] =>
  operationOf(id).parameters.filter((name) => name !== 'organization');

/** Reads an operation's query and body fields from the OpenAPI document. */
export function fieldsOf(id: OperationId): Field[] {
  const { parameters, requestBody } = operationObject(id);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = resolved(requestBody?.content['application/json'].schema);
  return [
    ...query.map(({ name, schema, description }) =>
      field(name, { ...schema, description: description ?? '' }, false),
    ),
    ...Object.entries(body.properties ?? {}).map(([name, schema]) =>
      field(name, schema, body.required?.includes(name) ?? false),
    ),
  ];
}

/** Reads an operation's example request from the OpenAPI document. */
export function exampleOf(id: OperationId) {
  const { parameters, requestBody } = operationObject(id);
  const examplesIn = (place: string): Record<string, unknown> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && parameter.example !== undefined)
        .map(({ name, example }) => [name, example]),
    );
  return {
    parameters: examplesIn('path') as Record<string, string>,
    payload: { ...examplesIn('query'), ...requestBody?.content['application/json'].example },
  };
}

/** What an operation returns. */
export interface ResultShape {
  isList: boolean;
  /** The fields of the record, or of each record in the list. */
  fields: readonly string[];
}

/** Reads the shape of an operation's result from the OpenAPI document. Returns undefined if it has none. */
export function resultOf(id: OperationId): ResultShape | undefined {
  const { responses } = operationObject(id);
  const content = (responses[200] ?? responses[201])?.content;
  const data = content?.['application/json'].schema.properties?.data;
  if (!data) return undefined;
  // The schema of a page combines the general page schema with the type of its records.
  const { items } = data.allOf?.[1]?.properties?.data ?? data;
  return { isList: items !== undefined, fields: Object.keys(resolved(items ?? data).properties ?? {}) };
}

function field(
  name: string,
  { type = 'string', format, enum: values = [], description = '' }: JsonSchema,
  required: boolean,
) {
  const types = [type].flat();
  const kind = types.find((one) => one !== 'null') as Field['type'];
  const isDate = format === 'date-time';
  return { name, type: kind, isDate, nullable: types.includes('null'), required, description, values };
}

let document: {
  paths: Record<string, Record<string, Partial<OperationObject>>>;
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, Parameter> };
};

function openApi() {
  document ??= JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  return document;
}

/** The build contains a copy of the document next to this module. */
const file = import.meta.url.endsWith('.ts') ? '../../../docs/public/openapi.json' : 'openapi.json';

interface OperationObject {
  parameters: Parameter[];
  requestBody?: {
    content: { 'application/json': { schema: JsonSchema; example?: Record<string, unknown> } };
  };
  responses: Record<number, { content?: { 'application/json': { schema: JsonSchema } } }>;
}

function operationObject(id: OperationId): OperationObject {
  const { path, method } = operationOf(id);
  const {
    parameters = [],
    requestBody,
    responses = {},
  } = openApi().paths[path]?.[method.toLowerCase()] ?? {};
  const resolved = parameters.map((parameter) => ({
    ...parameter,
    ...openApi().components.parameters[nameIn(parameter.$ref)],
  }));
  return { parameters: resolved, responses, ...(requestBody && { requestBody }) };
}

/** Returns the schema that a schema refers to. All bodies and records are references. */
const resolved = ({ $ref }: JsonSchema = {}): JsonSchema => openApi().components.schemas[nameIn($ref)] ?? {};

const nameIn = (reference = '') => reference.split('/').at(-1) ?? '';

/** A field that takes IDs, and the option that also accepts names. */
export interface ReferenceOption {
  /** The option's name, such as `board` for the `board_id` field. */
  name: string;
  field: string;
  kind: ReferenceKind;
  isList: boolean;
}

/** Returns the options that accept names for an operation's ID fields. */
export function referenceOptionsOf(id: OperationId): ReferenceOption[] {
  const options = fieldsOf(id).flatMap(({ name: field, type }) => {
    const kind = referenceKinds[field];
    return kind ? [{ name: field.replace(/_ids?$/, ''), field, kind, isList: type === 'array' }] : [];
  });
  if (id !== 'tickets.move') return options;
  return [...options, { name: 'board_slug', field: 'board_id', kind: 'board', isList: false }];
}

/** The ways to refer to each kind of record. */
export const referenceForms: Readonly<Record<ReferenceKind, string>> = {
  project: 'Key, name, or ID of a project',
  board: 'Name, slug, or ID of a board',
  ticket: 'Ticket, such as APO-3, or its ID',
  label: 'Name or ID of a label',
  member: 'Name, email address, or ID of a member of the project',
  user: 'Name, email address, or ID of a member of any project',
};

/** The allowed values for a command's arguments. */
export const argumentForms: Readonly<Record<string, string>> = {
  project: 'Key, name, or ID of the project',
  board: 'Project and board, such as APO/Doing, or the ID of the board',
  ticket: 'Project key and ticket number, such as APO-3, or the ID of the ticket',
  document: 'ID of the document',
};
