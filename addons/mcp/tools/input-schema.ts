import * as z from 'zod/mini';
import { type AnyInputSchema, type OperationId, operationOf } from '../../../src/contract/index.js';
import { textFields } from './text-fields.js';
import { filterSchemas } from './ticket-filters.js';
import type { InputSchema, JsonSchema } from './tool.js';

/** The default number of rows per page. It's small because every row costs tokens. */
export const defaultRows = 20;

/**
 * Creates the input schema for an operation's tool. It contains the path parameters (except the organization)
 * and the query or body fields. For reads, it also contains `fields`, page parameters for lists, and
 * `text_offset` for long text.
 *
 * @param mayHaveDefaultBoard whether tickets can be created without a board
 */
export function inputSchemaOf(id: OperationId, mayHaveDefaultBoard = false): InputSchema {
  const { parameters, query, body, method } = operationOf(id);
  const path = parameters.filter((name) => name !== 'organization');
  const payload = fieldsOf(query) ?? fieldsOf(body) ?? { properties: {}, required: [] };
  const required = [...path, ...payload.required].filter((name) => name !== 'body_html');
  const isRead = method === 'GET';
  const { isList, fields } = responseShape(id);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(path.map((name) => [name, { type: 'string' }])),
      ...withText(id, payload.properties),
      ...(id === 'tickets.list' && filterSchemas),
      ...(id === 'tickets.create' && { idempotency_key: key }),
      ...(isRead && isList && paging),
      ...(isRead && { fields: { type: 'array', items: { enum: fields } } }),
      ...(isRead && textFields[id] && { format, text_offset: { type: 'integer', minimum: 0 } }),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(id === 'tickets.create' && !mayHaveDefaultBoard && exactlyOne('board_id', 'board_slug')),
    ...(id.endsWith('comments.create') && exactlyOne('body', 'body_html')),
  };
}

/** Adds the arguments for passing an HTML field as Markdown and for editing its text. */
function withText(id: OperationId, properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const field = textFields[id];
  const html = field && properties[field.html];
  if (!html) return properties;
  return {
    ...properties,
    [field.markdown]: { type: html.type, description: 'Markdown' },
    ...(id.endsWith('.update') && edits),
  };
}

const edits: Record<string, JsonSchema> = {
  append: { type: 'string', description: 'Markdown to add at the end' },
  replace_text: {
    type: 'object',
    properties: { old: { type: 'string' }, new: { type: 'string' } },
    required: ['old', 'new'],
    description: 'Markdown. Replaces text that occurs once',
  },
  replace_all: { type: 'boolean', description: 'Required to replace the whole text' },
};

const key: JsonSchema = {
  type: 'string',
  maxLength: 200,
  description: 'Returns the ticket that was created with this key, if any',
};

const format: JsonSchema = { enum: ['markdown', 'html'], default: 'markdown' };

const strings: JsonSchema = { type: 'array', items: { type: 'string' } };

const paging = {
  per_page: { type: 'integer', maximum: 200, default: defaultRows },
  page: { type: 'integer' },
};

/**
 * Requires exactly one of two fields. Uses `if` because model APIs reject `oneOf`, `anyOf`, `allOf`, and
 * `not` at the top level of a schema.
 */
const exactlyOne = (one: string, other: string) => ({
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: { not: { required: [other] } },
  if: { required: [one] },
  else: { required: [other] },
});

function fieldsOf(schema: AnyInputSchema | undefined) {
  if (!schema) return undefined;
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  }) as { properties?: Record<string, JsonSchema>; required?: string[] };
  const compact = Object.entries(properties).map(([name, field]) => [
    name,
    overrides[name] ?? simplify(field),
  ]);
  return { properties: Object.fromEntries(compact) as Record<string, JsonSchema>, required };
}

/** Fields whose schemas transform the input, which JSON Schema can't express. */
const overrides: Record<string, JsonSchema> = {
  due_at: { type: ['string', 'null'], format: 'date-time' },
  tags: strings,
};

/**
 * Replaces `{ anyOf: [{ type: 'string' }, { type: 'null' }] }` with `{ type: ['string', 'null'] }` to save
 * tokens.
 */
function simplify({ anyOf, items, maximum, ...rest }: JsonSchema): JsonSchema {
  const forms = (anyOf as JsonSchema[] | undefined)?.map(simplify);
  const form = forms?.find(({ type }) => type !== 'null');
  if (form && forms?.length === 2) return { ...form, type: [form.type, 'null'] };
  return {
    ...rest,
    ...(forms && { anyOf: forms }),
    ...(items !== undefined && { items: simplify(items as JsonSchema) }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** Returns whether an operation returns a list, and the fields of the record or of each record in the list. */
export function responseShape(id: OperationId): { isList: boolean; fields: readonly string[] } {
  const { response } = operationOf(id);
  if (!response) return { isList: false, fields: [] };
  const { items, properties } = z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }) as Listed;
  return { isList: items !== undefined, fields: Object.keys(items?.properties ?? properties ?? {}) };
}

interface Listed {
  properties?: Record<string, JsonSchema>;
  items?: { properties?: Record<string, JsonSchema> };
}
