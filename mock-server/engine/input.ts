import { fieldsOf, type Schema, validate } from '../../src/contract/index.js';
import { decodeQuery, isObject, type Wire } from '../../src/wire/index.js';
import { Refusal } from '../rules/index.js';
import { describeFields } from '../rules/refusal.js';
import { abortable } from './abortable.js';
import type { Incoming } from './incoming.js';

/** The text of a body; nothing is parsed yet, so that no rule has to wait for a slow sender. */
export async function readBody(request: Incoming, limit: number): Promise<string> {
  if (request.body === null) return '';
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > limit) throw tooLarge(limit);
  const text = await abortable(request.signal, request.text());
  // A UTF-16 unit is at most three bytes of UTF-8: most texts need no counting.
  if (text.length * 3 > limit && new TextEncoder().encode(text).length > limit) throw tooLarge(limit);
  return text;
}

/** @throws Refusal `malformed_json` (400); an empty text reads as `{}` */
export function parseBody(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('malformed_json', 'The body is not JSON.');
  }
}

/**
 * Checks a query or a body against the contract. Fields that the contract does not know are left out first.
 *
 * @throws Refusal (422) with the code and the field errors of the contract's own validation
 */
export function check(schema: Schema<unknown, never>, payload: unknown): unknown {
  const result = validate(schema, isObject(payload) ? knownFields(schema, payload) : payload);
  if (result.ok) return result.value;
  throw new Refusal(result.code, describeFields(result.fieldErrors), result.fieldErrors);
}

/** The query's known parameters, the page under the contract's name for it. */
export function readQuery(url: URL, schema: Schema<unknown, never>, wire: Wire): Record<string, unknown> {
  const { parameter } = wire.page;
  if (parameter === 'page') return decodeQuery(url.searchParams, schema);
  const renamed = new URLSearchParams(url.search);
  renamed.delete('page');
  for (const value of url.searchParams.getAll(parameter)) renamed.append('page', value);
  return decodeQuery(renamed, schema);
}

function knownFields(schema: Schema<unknown, never>, payload: Record<string, unknown>): unknown {
  const known: Record<string, unknown> = {};
  for (const field of fieldsOf(schema).keys()) {
    if (Object.hasOwn(payload, field)) known[field] = payload[field];
  }
  return known;
}

const tooLarge = (limit: number) =>
  new Refusal('payload_too_large', `The body is larger than ${limit.toLocaleString('en-US')} bytes.`);
