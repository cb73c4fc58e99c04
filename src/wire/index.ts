import { decodeError, type ErrorWire, messageBody } from './error-body.js';
import { bearer, type CredentialWire, dataEnvelope, decodeEnvelope, type EnvelopeWire } from './messages.js';
import { decodePage, numberedPages, type PageWire, pageParameter } from './page.js';

export type { ErrorContent, ErrorWire } from './error-body.js';
export type { EnvelopeWire } from './messages.js';
export {
  type CredentialWire,
  decodeCredential,
  decodeQuery,
  decodeSegment,
  encodeCredential,
  encodePath,
  encodeQuery,
  pathPrefix,
} from './messages.js';
export type { DecodedPage, PageWire } from './page.js';

/**
 * The parts of the wire format that the specification doesn't define. If your deployment differs, pass the
 * same custom format to the client and the mock server.
 */
export interface WireFormat {
  credential: CredentialWire;
  envelope: EnvelopeWire;
  page: PageWire;
  error: ErrorWire;
  /** The response header that contains the request ID. */
  requestIdHeader: string;
}

const requestIdHeader = 'x-request-id';

/** The default wire format. The `wire` option can replace individual parts. */
export const defaultWire: WireFormat = {
  credential: bearer,
  envelope: dataEnvelope,
  page: numberedPages,
  error: messageBody,
  requestIdHeader,
};

/** The parts of the wire format that the client uses. The client doesn't write responses. */
export interface ClientWireFormat extends Pick<WireFormat, 'credential' | 'requestIdHeader'> {
  envelope: Pick<EnvelopeWire, 'decode'>;
  page: Pick<PageWire, 'parameter' | 'decode'>;
  error: Pick<ErrorWire, 'decode'>;
}

/** {@link defaultWire} without the functions that write responses, which would add 0.3 kB to a bundle. */
export const clientWire: ClientWireFormat = {
  credential: bearer,
  envelope: { decode: decodeEnvelope },
  page: { parameter: pageParameter, decode: decodePage },
  error: { decode: decodeError },
  requestIdHeader,
};
