import { isObject } from './json.js';

/** How one record, or a whole list, is wrapped: `{ "data": … }`. */
export interface EnvelopeWire {
  encode(data: unknown): unknown;
  /** @returns undefined where the body is not such an envelope */
  decode(body: unknown): { data: unknown } | undefined;
}

export const dataEnvelope: EnvelopeWire = {
  encode: (data) => ({ data }),
  decode: decodeEnvelope,
};

export function decodeEnvelope(body: unknown): { data: unknown } | undefined {
  return isObject(body) && 'data' in body ? { data: body.data } : undefined;
}
