import { readFileSync } from 'node:fs';
import { type ErrorCode, type OperationId, operationOf } from '../../../src/contract/index.js';

/** A response field, as shown in the documentation. */
export interface ResponseField {
  name: string;
  type: string;
  description: string;
}

/** An error response from the mock server. */
export interface ErrorResponse {
  status: number;
  body: { message: string; code: ErrorCode };
}

/** Returns the fields of the records an operation returns. Empty for a 204 response. */
export function responseFields(id: OperationId): ResponseField[] {
  const { properties = {} } = recordSchema(responsesOf(id)[operationOf(id).status]);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    description: meaningOf(name, schema),
  }));
}

/** Returns an operation's path parameters with their descriptions. */
export function pathParameters(id: OperationId): { name: string; description: string }[] {
  return operationOf(id).parameters.map((name) => ({
    name,
    description: document.components.parameters[name]?.description ?? '',
  }));
}

/**
 * Returns an example response with this error code from the given operation. If `id` is omitted, the response
 * can come from any operation.
 */
export function errorResponse(code: ErrorCode, id?: OperationId): ErrorResponse | undefined {
  const responses = id ? [responsesOf(id)] : operations.map((operation) => operation.responses);
  for (const [status, response] of responses.flatMap((byStatus) => Object.entries(byStatus))) {
    const body = resolved(response).content?.['application/json'].examples?.[code]?.value;
    if (body) return { status: Number(status), body };
  }
  return undefined;
}

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
}

interface OpenApiResponse {
  $ref?: string;
  content?: {
    'application/json': { schema: JsonSchema; examples?: Record<string, { value: ErrorResponse['body'] }> };
  };
}

interface OpenApiOperation {
  operationId: string;
  responses: Record<string, OpenApiResponse>;
}

const document = JSON.parse(readFileSync(new URL('../../public/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, OpenApiResponse>;
    parameters: Record<string, { description: string }>;
  };
};

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

function responsesOf(id: OperationId): Record<string, OpenApiResponse> {
  return operations.find(({ operationId }) => operationId === id)?.responses ?? {};
}

function resolved(response: OpenApiResponse): OpenApiResponse {
  return response.$ref ? (document.components.responses[nameIn(response.$ref)] ?? {}) : response;
}

/** Returns a response's record schema, which can be nested in `data`, a list, or a page. */
function recordSchema(response: OpenApiResponse | undefined): JsonSchema {
  let schema = response?.content?.['application/json'].schema;
  while (schema && !schema.$ref) schema = schema.items ?? schema.allOf?.at(-1) ?? schema.properties?.data;
  return document.components.schemas[nameIn(schema?.$ref)] ?? {};
}

function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return link(nameIn(schema.$ref));
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  const types = [schema.type ?? []].flat();
  return types.map((type) => (type === 'array' ? listOf(schema.items) : type)).join(' or ');
}

const listOf = (items: JsonSchema = {}) =>
  items.$ref ? `list of ${typeOf(items)}` : `list of ${typeOf(items)}s`;

const link = (name: string) => `[\`${name}\`](../api/worktrack/interfaces/${name}.md)`;

const nameIn = (reference = '') => reference.split('/').at(-1) ?? '';

/** @throws Error if the field has no description */
function meaningOf(name: string, { description }: JsonSchema): string {
  const meaning = description ?? meanings[name];
  if (!meaning)
    throw new Error(`the response field "${name}" has no description in the contract or in this file`);
  return meaning.replace(/\.$/, '');
}

/** Descriptions of fields that have the same meaning in every record. */
const meanings: Readonly<Record<string, string>> = {
  id: 'The ID of the record',
  organization_id: 'The ID of the organization',
  project_id: 'The ID of the project',
  board_id: 'The ID of the board',
  ticket_id: 'The ID of the ticket',
  document_id: 'The ID of the document',
  name: 'The name',
  email: 'The email address',
  key: "The project's short key",
  title: 'The title',
  caption: 'The caption, as plain text',
  description: 'The description, as plain text',
  description_html: 'The description, as HTML',
  content_html: 'The content, as HTML',
  body_html: 'The comment text, as HTML',
  color: 'The color, such as `#0f766e`',
  is_hidden: 'Whether the board is hidden',
  due_at: 'When the ticket is due',
  author: 'The user or API credential that wrote the text',
  creator: 'The user or API credential that created the record',
  editors: 'The users who can edit the document',
  assignees: 'The users assigned to the ticket',
  labels: "The ticket's labels",
  tags: 'The tags',
  total: 'The number of tickets in the project',
  archived_at: "When the record was archived, or null if it isn't archived",
  created_at: 'When the record was created',
  updated_at: 'When the record was last updated',
};
