import { describeThrown } from '../shared/describe-thrown.js';

/** The fields of platform network errors. */
interface SystemError {
  code?: unknown;
  message?: unknown;
  syscall?: unknown;
  cause?: SystemError;
  /** One error per IP address tried. */
  errors?: SystemError[];
}

/** Returns the reason for a network error. fetch itself only reports "fetch failed". */
export function describeNetworkError(error: unknown): string {
  const { message, cause } = (error ?? {}) as SystemError;
  return describeThrown(cause?.message || cause?.code || message || error);
}

/**
 * The error codes that Node.js, undici, and Bun use for an unknown host, a refused connection, or an untrusted
 * certificate. OpenSSL's own codes (`ERR_SSL_…`) aren't among them, because they can also occur later.
 */
const connectionCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(NET|HOST)UNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|(?!ERR_SSL_).*CERT.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

/** Whether the connection failed before the server could receive the request. */
export function neverConnected(error: unknown): boolean {
  const { code, syscall, cause, errors } = (error ?? {}) as SystemError;
  return (
    // Established connections can also fail with some of these codes, so the system call, if known, takes
    // precedence.
    (syscall === undefined
      ? connectionCodes.test(String(code))
      : /^(connect|getaddrinfo)$/.test(String(syscall))) ||
    (Array.isArray(errors) && errors.length > 0 && errors.every(neverConnected)) ||
    (cause !== undefined && neverConnected(cause))
  );
}

/** Whether the transport rejected before it wrote any part of the request. */
export function neverWritten(error: unknown): boolean {
  const { requestWritten } = (error ?? {}) as { requestWritten?: unknown };
  return typeof requestWritten === 'boolean' ? !requestWritten : neverConnected(error);
}
