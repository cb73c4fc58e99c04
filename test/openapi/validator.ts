import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type OperationId, operationIds, operationOf } from 'worktrack/contract';
import { root } from '../../scripts/entries.js';

type Fetch = typeof globalThis.fetch;

const document: object = JSON.parse(readFileSync(`${root}openapi.json`, 'utf8'));
const ajv = new Ajv.default({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

/**
 * A `fetch` that holds every answer, and every request that succeeds, to the OpenAPI document. The
 * validator shares nothing with the one the package uses.
 *
 * @throws the first difference, with its operation and place
 */
export function held(fetch: Fetch): Fetch & { seen: Set<string> } {
  const seen = new Set<string>();
  const checked: Fetch = async (input, init) => {
    const request = new Request(input, init);
    const sent = await request.clone().text();
    const response = await fetch(request);
    const { id, operation } = operationFor(request) ?? {};
    // What is no operation (an unknown path, a wrong method) is nothing to describe.
    if (!id || !operation) return response;
    const answered = await response.clone().text();
    if (response.ok) check(`${id} request`, at(operation, 'requestBody'), sent);
    const answer = at(operation, 'responses', String(response.status));
    if (!answer) throw new Error(`${id}: the document knows no answer ${response.status}`);
    check(`${id} ${response.status}`, answer, answered);
    seen.add(`${id} ${response.status}`);
    return response;
  };
  return Object.assign(checked, { seen });
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
interface Place {
  pointer: string[];
}

function at({ pointer }: Place, ...keys: string[]): Place | undefined {
  const path = [...pointer, ...keys];
  const value = valueAt(path);
  if (value === undefined) return undefined;
  const { $ref: reference } = value as { $ref?: string };
  return { pointer: reference ? reference.slice(2).split('/') : path };
}

const valueAt = (path: string[]) =>
  path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);

const validators = new Map<string, ValidateFunction>();

function check(what: string, place: Place | undefined, body: string) {
  const schema = place && at(place, 'content', 'application/json', 'schema');
  if (!schema) {
    if (body) throw new Error(`${what}: a body where the document has none: ${body.slice(0, 100)}`);
    return;
  }
  if (!body && valueAt([...place.pointer, 'required']) === false) return;
  const reference = `openapi#/${schema.pointer.map(escaped).join('/')}`;
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  if (!validate(JSON.parse(body))) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}\n${body}`);
}

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
