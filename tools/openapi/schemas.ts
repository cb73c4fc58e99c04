import * as contract from 'worktrack/contract';
import * as z from 'zod/mini';
import { definitionOf } from '../../src/contract/zod-internals.js';
import { declarations, type Field, fieldsOf } from '../support/interfaces.js';

/**
 * Returns the contract's schemas as OpenAPI components. `ticketSchema` becomes `Ticket`, and
 * `createTicketSchema` becomes `CreateTicket`. Query schemas aren't included, because their fields are
 * parameters.
 */
export function componentSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, options) as { schemas: Record<string, JsonSchema> };
  const names = Object.keys(schemas).sort();
  return Object.fromEntries(
    names.map((name) => {
      const schema = described(name, schemas[name] ?? {});
      return [name, requestNames.has(name) ? schema : requirePromisedFields(name, schema)];
    }),
  );
}

/** Returns a reference to a contract schema. For a list, returns an array schema with a reference to the items' schema. */
export function schemaReference(schema: contract.Schema<unknown>): JsonSchema {
  const { element } = definitionOf(schema);
  if (element) return { type: 'array', items: schemaReference(element as contract.Schema<unknown>) };
  const { id } = registry.get(schema) ?? {};
  if (!id) throw new Error("worktrack/contract doesn't export a schema that an operation uses");
  return { $ref: reference(id) };
}

/** Returns the schemas of a query's fields, with their descriptions. */
export function queryFields(query: contract.Schema<unknown>): Record<string, JsonSchema> {
  const name = queryNames.get(query);
  if (!name) throw new Error("worktrack/contract doesn't export a query schema");
  return described(name, z.toJSONSchema(query, options) as JsonSchema).properties ?? {};
}

const exported: ReadonlyMap<string, unknown> = new Map(Object.entries(contract));
const schemasOfContract = [...exported].flatMap(([name, value]): [string, contract.Schema<unknown>][] =>
  name.endsWith('Schema') ? [[interfaceOf(name), value as contract.Schema<unknown>]] : [],
);
const queryNames = new Map(
  schemasOfContract.filter(([name]) => name.endsWith('Query')).map(([name, schema]) => [schema, name]),
);
const registry = z.registry<{ id: string }>();
for (const [id, schema] of schemasOfContract) if (!queryNames.has(schema)) registry.add(schema, { id });
const requestNames = new Set(
  contract.operationIds.flatMap((id) => {
    const { body } = contract.operationOf(id);
    return body ? [registry.get(body)?.id] : [];
  }),
);

const options = {
  target: 'draft-2020-12',
  io: 'input',
  // JSON Schema can't express some checks. The field descriptions mention them instead.
  unrepresentable: 'any',
  uri: reference,
} satisfies Parameters<typeof z.toJSONSchema>[1];

function reference(id: string) {
  return `#/components/schemas/${id}`;
}

/** Returns the name of a schema's interface, such as `CreateTicket` for `createTicketSchema`. */
function interfaceOf(schemaName: string): string {
  return schemaName.charAt(0).toUpperCase() + schemaName.slice(1, -'Schema'.length);
}

/** Adds each field's TSDoc as its description, and removes redundant parts of the JSON Schema. */
function described(name: string, { $schema, $id, additionalProperties, ...schema }: JsonSchema): JsonSchema {
  // `CreateTicket` is a union, and only one of its members describes a field.
  const fields = declarations.has(name)
    ? fieldsOf(name).sort((one, other) => one.doc.length - other.doc.length)
    : [];
  const docs = new Map(fields.map((field) => [field.name, field]));
  const properties = Object.entries(schema.properties ?? {}).map(([field, value]): [string, JsonSchema] => [
    field,
    { ...withDoc(field, overTheWire(value), docs.get(field)), ...defaultOf(name, field) },
  ]);
  return {
    ...schema,
    ...(name === 'CreateTicket' && { oneOf: [{ required: ['board_id'] }, { required: ['board_slug'] }] }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  };
}

/** Returns a field's default value according to the specification. */
function defaultOf(name: string, field: string): { default?: unknown } {
  if (field === 'per_page') return { default: contract.defaultPerPage };
  return name === 'CreateDocument' && field === 'status' ? { default: 'draft' } : {};
}

function withDoc(name: string, schema: JsonSchema, field: Field | undefined): JsonSchema {
  const values = 'enum' in schema ? undefined : valuesOf(field);
  const known = values && `One of \`${values.join('`, `')}\`. Newer servers may add others.`;
  const summary = conveniences.reduce((text, words) => text?.replace(words, ''), field?.doc);
  const description = [summary, known].filter(Boolean).join(' ');
  return {
    ...schema,
    ...(name.endsWith('_at') && { format: 'date-time' }),
    ...(description && { description }),
  };
}

/** Returns the values of a field whose type is a union such as `Priority`. */
function valuesOf(field: Field | undefined): readonly string[] | undefined {
  const { node } = declarations.get(field?.node.getText() ?? '') ?? {};
  const [, list] = /\(typeof (\w+)\)\[number\]/.exec(node?.getText() ?? '') ?? [];
  return list ? (exported.get(list) as readonly string[]) : undefined;
}

/** Phrases to remove from descriptions, because only the SDK accepts these types. */
const conveniences = [', or a `Date`', 'an array or '];

/**
 * Returns the schema of a field's wire format. A list of names becomes a string, because the client joins the
 * names. Omits JavaScript's integer limits.
 */
function overTheWire(schema: JsonSchema): JsonSchema {
  const { anyOf, maximum, items, ...rest } = schema as JsonSchema & {
    anyOf?: JsonSchema[];
    items?: JsonSchema;
  };
  const forms = anyOf?.map(overTheWire);
  const text = forms?.find(({ type }) => type === 'string');
  if (text && forms?.some(({ type }) => type === 'array')) return text;
  const nullable = forms?.length === 2 && forms.find(({ type }) => type !== 'null');
  if (nullable && typeof nullable.type === 'string') return { ...nullable, type: [nullable.type, 'null'] };
  const { type, properties } = rest;
  return {
    ...rest,
    ...(forms && { anyOf: forms }),
    ...(items && { items: overTheWire(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, overTheWire(property)]),
      ),
    }),
    // All numbers in this API are integers.
    ...(type === 'number' && { type: 'integer' }),
    ...(Array.isArray(type) && { type: type.map((name) => (name === 'number' ? 'integer' : name)) }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/**
 * Marks a field as required only if the API's specification implies that it's present. Deployments may omit
 * any other field, because the specification doesn't list the fields of returned records.
 */
function requirePromisedFields(name: string, schema: JsonSchema): JsonSchema {
  const required = promisedFields[name];
  return { ...withoutRequired(schema), ...(required && { required }) };
}

/**
 * The required fields, keyed by schema. IDs are required because other requests need them. `ticket_count` is
 * required because the specification mentions it.
 */
const promisedFields: Readonly<Record<string, readonly string[]>> = {
  Organization: ['id'],
  Project: ['id'],
  Member: ['id'],
  Label: ['id'],
  Board: ['id'],
  Ticket: ['id'],
  Document: ['id'],
  Tag: ['ticket_count'],
};

function withoutRequired({ required: _, ...schema }: JsonSchema): JsonSchema {
  const { properties, items } = schema as JsonSchema & { items?: JsonSchema };
  return {
    ...schema,
    ...(items && { items: withoutRequired(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, value]) => [field, withoutRequired(value)]),
      ),
    }),
  };
}

const link: JsonSchema = { type: ['string', 'null'], format: 'uri' };
const index: JsonSchema = { type: ['integer', 'null'], minimum: 1 };

/** The schema of a page whose items can have any type. */
export const pageSchema: Record<string, JsonSchema> = {
  Page: {
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/PageInfo' }],
    required: ['data'],
    properties: {
      data: { type: 'array', description: 'The items on this page.', items: {} },
      current_page: { type: 'integer', minimum: 1 },
      per_page: { type: 'integer', minimum: 1, maximum: 200 },
      last_page: { type: 'integer', minimum: 1 },
      total: { type: 'integer', minimum: 0 },
      from: index,
      to: index,
      path: { type: 'string', format: 'uri' },
      first_page_url: link,
      last_page_url: link,
      next_page_url: link,
      prev_page_url: link,
      links: {
        type: 'array',
        items: {
          type: 'object',
          properties: { url: link, label: { type: 'string' }, active: { type: 'boolean' } },
        },
      },
    },
  },
};

export type JsonSchema = { [keyword: string]: unknown; properties?: Record<string, JsonSchema> };
