import { type AnySchema, fieldsOf } from '../contract/index.js';
import { definedFields } from '../shared/defined-fields.js';
import { isObject } from '../shared/json.js';

/** How credentials are sent, for example `Authorization: Bearer <token>`. The scheme is case-insensitive. */
export interface CredentialWire {
  /** The header name. */
  header: string;
  /** The scheme before the token. Empty if the header contains only the token. */
  scheme: string;
}

export const bearer: CredentialWire = { header: 'authorization', scheme: 'Bearer' };

export const encodeCredential = ({ scheme }: CredentialWire, token: string): string =>
  scheme ? `${scheme} ${token}` : token;

/** @returns the token, or undefined if it is missing or has a different scheme */
export function decodeCredential({ header, scheme }: CredentialWire, headers: Headers): string | undefined {
  const value = headers.get(header);
  if (!value) return undefined;
  if (!scheme) return value;
  const space = value.indexOf(' ');
  return space > 0 && value.slice(0, space).toLowerCase() === scheme.toLowerCase()
    ? value.slice(space + 1).trim()
    : undefined;
}

/** The prefix of all API paths. See "Versioning" in the specification. */
export const pathPrefix = '/api/v1';

/** Fills in a path template and percent-encodes each parameter. */
export function encodePath(template: string, params: Readonly<Record<string, string>>): string {
  let path = '';
  let end = 0;
  for (;;) {
    const start = template.indexOf('{', end);
    if (start < 0) return path + template.slice(end);
    path += template.slice(end, start);
    end = template.indexOf('}', start) + 1;
    path += encodeURIComponent(params[template.slice(start + 1, end - 1)] ?? '');
  }
}

/** @returns the decoded segment, or undefined if its percent-encoding is invalid */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Encodes all defined fields, in order. Returns an empty string if no field is defined. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  return new URLSearchParams(definedFields(query) as Record<string, string>).toString();
}

/**
 * Reads the parameters defined in the schema. If a parameter occurs several times, the last value is used. If
 * the schema expects an integer, digits are converted to a number, and any other value remains a string for
 * the schema to reject.
 */
export function decodeQuery(parameters: URLSearchParams, schema: AnySchema): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, type] of fieldsOf(schema)) {
    const value = parameters.getAll(name).at(-1);
    if (value !== undefined)
      query[name] = type === 'number' && /^[+-]?\d+$/.test(value) ? Number(value) : value;
  }
  return query;
}

/** The envelope around a record or an unpaginated list: `{ "data": … }`. */
export interface EnvelopeWire {
  encode(data: unknown): unknown;
  /** @returns undefined if the body has a different format */
  decode(body: unknown): { data: unknown } | undefined;
}

export const dataEnvelope: EnvelopeWire = {
  encode: (data) => ({ data }),
  decode: decodeEnvelope,
};

export function decodeEnvelope(body: unknown): { data: unknown } | undefined {
  return isObject(body) && 'data' in body ? { data: body.data } : undefined;
}
