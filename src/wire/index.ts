import { bearer, type CredentialWire } from './credential.js';
import { dataEnvelope, type EnvelopeWire } from './envelope.js';
import { type ErrorWire, messageBody } from './error-body.js';
import { numberedPages, type PageWire } from './page.js';

export { type CredentialWire, decodeCredential, encodeCredential } from './credential.js';
export type { EnvelopeWire } from './envelope.js';
export type { ErrorContent, ErrorWire } from './error-body.js';
export { isObject, type JsonObject } from './json.js';
export type { DecodedPage, PageWire } from './page.js';
export { decodeSegment, encodePath, pathPrefix } from './path.js';
export { decodeQuery, encodeQuery } from './query.js';

/**
 * The details that the specification leaves open, each in both directions: the client decodes
 * what the server encodes. A deployment that differs is one other value, given to both sides.
 */
export interface Wire {
  credential: CredentialWire;
  envelope: EnvelopeWire;
  page: PageWire;
  error: ErrorWire;
  /** Response header with the request's id. */
  requestIdHeader: string;
}

const requestIdHeader = 'x-request-id';

/** What this package chose; every part can be replaced with `{ ...defaultWire, … }`. */
export const defaultWire: Wire = {
  credential: bearer,
  envelope: dataEnvelope,
  page: numberedPages,
  error: messageBody,
  requestIdHeader,
};
