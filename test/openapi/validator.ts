import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type OperationId, operationIds, operationOf } from 'worktrack/contract';
import { root } from '../../scripts/entries.js';

type Fetch = typeof globalThis.fetch;

const document: object = JSON.parse(readFileSync(`${root}openapi.json`, 'utf8'));
const ajv = new Ajv.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(requireEveryResponseField(document), 'openapi');

/**
 * A `fetch` that holds every answer, and every request that succeeds (its query and its body), to the
 * OpenAPI document. The validator shares nothing with the one the package uses.
 *
 * @throws the first difference, with its operation and place
 */
export function held(fetch: Fetch): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const sent = await request.clone().text();
    const response = await fetch(request);
    const { id, operation } = operationFor(request) ?? {};
    // What is no operation (an unknown path, a wrong method) is nothing to describe.
    if (!id || !operation) return response;
    const answered = await response.clone().text();
    if (response.ok) {
      checkQuery(id, operation, new URL(request.url).searchParams);
      check(`${id} request`, at(operation, 'requestBody'), sent);
    }
    const answer = at(operation, 'responses', String(response.status));
    if (!answer) throw new Error(`${id}: the document knows no answer ${response.status}`);
    check(`${id} ${response.status}`, answer, answered);
    return response;
  };
}

/**
 * A deployment may omit the fields that the specification doesn't promise, so the document leaves them
 * optional. The mock server returns every field, and its responses are held to that.
 */
function requireEveryResponseField(original: object) {
  const copy = structuredClone(original) as { components: { schemas: Record<string, SchemaNode> } };
  for (const [name, schema] of Object.entries(copy.components.schemas)) {
    if (name === 'Error') schema.required = ['message'];
    else if (!/^(Create|Update|Delete|Move|Reorder|Send)/.test(name)) requireEveryField(schema);
  }
  return copy;
}

interface SchemaNode {
  required?: string[];
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
}

function requireEveryField(schema: SchemaNode) {
  const { properties = {}, items } = schema;
  if (schema.properties) schema.required = Object.keys(properties);
  for (const node of [...Object.values(properties), ...(items ? [items] : [])]) requireEveryField(node);
}

function operationFor({ url, method }: Request): { id: OperationId; operation: Place } | undefined {
  const { pathname } = new URL(url);
  // A path of fixed words comes before one with parameters: /tickets/reorder is no ticket's path.
  const [id] = operationIds
    .filter((one) => operationOf(one).method === method && pattern(operationOf(one).path).test(pathname))
    .sort((a, b) => operationOf(a).parameters.length - operationOf(b).parameters.length);
  return id && { id, operation: { pointer: ['paths', operationOf(id).path, method.toLowerCase()] } };
}

const pattern = (path: string) => new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** A place in the document, by the keys that lead there; references are followed. */
export interface Place {
  pointer: string[];
}

export function at({ pointer }: Place, ...keys: string[]): Place | undefined {
  const path = [...pointer, ...keys];
  const value = valueAt(path);
  if (value === undefined) return undefined;
  const { $ref: reference } = value as { $ref?: string };
  return { pointer: reference ? reference.slice(2).split('/') : path };
}

export const valueAt = (path: string[]) =>
  path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);

/** Parameters that the document does not have are ignored by the server, and no business of the document. */
function checkQuery(id: OperationId, operation: Place, query: URLSearchParams) {
  const parameters = valueAt([...operation.pointer, 'parameters']) as { name: string; in: string }[];
  for (const [index, { name, in: where }] of parameters.entries()) {
    const text = where === 'query' ? query.getAll(name).at(-1) : undefined;
    const schema = text !== undefined && at(operation, 'parameters', String(index), 'schema');
    if (schema) validate(`${id} query ${name}`, schema, typed(text, valueAt(schema.pointer)));
  }
}

/** A query is text; what its schema calls an integer has to look like one. */
const typed = (text: string, schema: unknown) =>
  (schema as { type?: string }).type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;

const validators = new Map<string, ValidateFunction>();

function check(what: string, place: Place | undefined, body: string) {
  const schema = place && at(place, 'content', 'application/json', 'schema');
  if (!schema) {
    if (body) throw new Error(`${what}: a body where the document has none: ${body.slice(0, 100)}`);
    return;
  }
  if (!body && valueAt([...place.pointer, 'required']) === false) return;
  validate(what, schema, JSON.parse(body));
}

/** @throws what the value has that the schema at this place does not allow */
export function validate(what: string, { pointer }: Place, value: unknown) {
  const reference = `openapi#/${pointer.map(escaped).join('/')}`;
  const valid = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, valid);
  if (!valid(value))
    throw new Error(`${what}: ${ajv.errorsText(valid.errors)}\n${JSON.stringify(value, null, 2)}`);
}

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
