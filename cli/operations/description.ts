import { readFileSync } from 'node:fs';
import { type OperationId, operationIds, operationOf } from '../../src/contract/index.js';

/** A field of an operation's query or body, as an option of its command. */
export interface Field {
  name: string;
  type: 'string' | 'integer' | 'boolean' | 'array';
  nullable: boolean;
  required: boolean;
  description: string;
  values: readonly string[];
}

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  description?: string;
  required?: string[];
  properties?: Record<string, JsonSchema>;
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: JsonSchema;
}

/** Ids by the word that a command begins with: `tickets` has `tickets.list` and the others. */
export const namespaces: ReadonlyMap<string, readonly OperationId[]> = byFirstWord();

function byFirstWord() {
  const result = new Map<string, OperationId[]>();
  for (const id of operationIds) {
    const [name = ''] = id.split('.');
    result.set(name, [...(result.get(name) ?? []), id]);
  }
  return result;
}

/** What is written after the command's words: the path's parameters but for the organization, an option. */
export const positionalsOf = (id: OperationId): readonly string[] =>
  (operationOf(id).parameters as readonly string[]).filter((name) => name !== 'organization');

/** The options that an operation's query or body makes, with what the OpenAPI document says of them. */
export function fieldsOf(id: OperationId): Field[] {
  const { parameters = [], requestBody } = operationObject(id);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = resolved(requestBody?.content['application/json'].schema ?? {});
  return [
    ...query.map(({ name, schema, description }) =>
      field(name, { ...schema, description: description ?? '' }, false),
    ),
    ...Object.entries(body.properties ?? {}).map(([name, schema]) =>
      field(name, schema, body.required?.includes(name) ?? false),
    ),
  ];
}

function field(
  name: string,
  { type = 'string', enum: values = [], description = '' }: JsonSchema,
  required: boolean,
) {
  const types = [type].flat();
  const kind = types.find((one) => one !== 'null') as Field['type'];
  return { name, type: kind, nullable: types.includes('null'), required, description, values };
}

let document: {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, JsonSchema> };
};

function openApi() {
  document ??= JSON.parse(readFileSync(new URL('../openapi.json', here), 'utf8'));
  return document;
}

// The build puts everything into one folder beside the document; the sources are one folder deeper.
const here = import.meta.url.endsWith('.ts') ? new URL('..', import.meta.url) : import.meta.url;

function operationObject(id: OperationId) {
  const { path, method } = operationOf(id);
  return openApi().paths[path]?.[method.toLowerCase()] as {
    parameters?: Parameter[];
    requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  };
}

function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (openApi().components.schemas[name] ?? {});
}
