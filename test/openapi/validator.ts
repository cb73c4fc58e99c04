import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type OperationId, operationIds, operationOf } from 'worktrack/contract';
import { root } from '../../tools/entries.js';

type Fetch = typeof globalThis.fetch;

const document: object = JSON.parse(readFileSync(`${root}docs/public/openapi.json`, 'utf8'));
const ajv = new Ajv.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(requireEveryResponseField(document), 'openapi');

/**
 * Returns a `fetch` that validates every response, and every successful request, against the OpenAPI
 * document. The validator doesn't share code with the package.
 *
 * On a mismatch, `fetch` throws an error that names the operation and the mismatched paths.
 */
export function checkedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const sent = await request.clone().text();
    const response = await fetch(request);
    const { id, operation } = operationFor(request) ?? {};
    // The document doesn't describe unknown paths and methods, so there is nothing to check.
    if (!id || !operation) return response;
    if (!valueAt(operation.pointer)) throw new Error(`openapi.json has no ${id}; run npm run openapi`);
    const text = await response.clone().text();
    if (response.ok) {
      checkQuery(id, operation, new URL(request.url).searchParams);
      check(`${id} request`, at(operation, 'requestBody'), sent);
    }
    const documented = at(operation, 'responses', String(response.status));
    if (!documented) throw new Error(`${id}: the document has no response ${response.status}`);
    check(`${id} ${response.status}`, documented, text);
    return response;
  };
}

/**
 * Marks all response fields as required. The document makes most fields optional because deployments may omit
 * them, but the mock server always returns them.
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

function operationFor({ url, method }: Request): { id: OperationId; operation: Location } | undefined {
  const { pathname } = new URL(url);
  // Try paths without parameters first so that `reorder` in /tickets/reorder isn't mistaken for a ticket ID.
  const [id] = operationIds
    .filter((one) => operationOf(one).method === method && pattern(operationOf(one).path).test(pathname))
    .sort((a, b) => operationOf(a).parameters.length - operationOf(b).parameters.length);
  return id && { id, operation: { pointer: ['paths', operationOf(id).path, method.toLowerCase()] } };
}

const pattern = (path: string) => new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** A location in the document. */
export interface Location {
  pointer: string[];
}

export function at({ pointer }: Location, ...keys: string[]): Location | undefined {
  const path = [...pointer, ...keys];
  const value = valueAt(path);
  if (value === undefined) return undefined;
  const { $ref: reference } = value as { $ref?: string };
  return { pointer: reference ? reference.slice(2).split('/') : path };
}

export const valueAt = (path: string[]) =>
  path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);

/** Validates the documented query parameters. The server ignores unknown ones. */
function checkQuery(id: OperationId, operation: Location, query: URLSearchParams) {
  const parameters = valueAt([...operation.pointer, 'parameters']) as { name: string; in: string }[];
  for (const [index, { name, in: position }] of parameters.entries()) {
    const text = position === 'query' ? query.getAll(name).at(-1) : undefined;
    const schema = text !== undefined && at(operation, 'parameters', String(index), 'schema');
    if (schema) validate(`${id} query ${name}`, schema, typed(text, valueAt(schema.pointer)));
  }
}

/** Converts a query parameter to a number if its type is `integer`. */
const typed = (text: string, schema: unknown) =>
  (schema as { type?: string }).type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;

const validators = new Map<string, ValidateFunction>();

function check(what: string, location: Location | undefined, body: string) {
  const schema = location && at(location, 'content', 'application/json', 'schema');
  if (!schema) {
    if (body) throw new Error(`${what}: the document does not allow a body: ${body.slice(0, 100)}`);
    return;
  }
  if (!body && valueAt([...location.pointer, 'required']) === false) return;
  validate(what, schema, JSON.parse(body));
}

/** @throws Error if the value doesn't match the schema at this location */
export function validate(what: string, { pointer }: Location, value: unknown) {
  const reference = `openapi#/${pointer.map(escaped).join('/')}`;
  const valid = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, valid);
  if (!valid(value))
    throw new Error(`${what}: ${ajv.errorsText(valid.errors)}\n${JSON.stringify(value, null, 2)}`);
}

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
