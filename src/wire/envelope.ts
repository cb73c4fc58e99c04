import { isObject } from './json.js';

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
