import type { ErrorCode, FieldErrors } from '../contract/index.js';
import { isObject } from '../shared/json.js';

export interface ErrorContent {
  message: string;
  /** The error messages by field, if fields are invalid. */
  errors?: FieldErrors | undefined;
  code?: ErrorCode | (string & {}) | undefined;
}

/** The format of error bodies: `{ "message", "errors"?, "code"? }`. */
export interface ErrorWire {
  /** @param status the response's HTTP status, for bodies that contain it */
  encode(content: ErrorContent, status?: number): unknown;
  /** Returns the fields that it recognizes, or an empty object if the body has a different format. */
  decode(body: unknown): Partial<ErrorContent>;
}

export const messageBody: ErrorWire = {
  encode: ({ message, errors, code }) => ({ message, ...(errors && { errors }), ...(code && { code }) }),
  decode: decodeError,
};

export function decodeError(body: unknown): Partial<ErrorContent> {
  if (!isObject(body)) return {};
  const { message = isObject(body.error) ? body.error.message : body.error, errors, code } = body;
  return {
    ...(typeof message === 'string' && { message }),
    ...(isObject(errors) && { errors: readFieldErrors(errors) }),
    ...(typeof code === 'string' && { code }),
  };
}

/** Reads each field's messages, which may be a list or a single string. */
const readFieldErrors = (errors: Record<string, unknown>): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [
      field,
      (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string'),
    ]),
  );
