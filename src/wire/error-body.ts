import type { ErrorCode, FieldErrors } from '../contract/index.js';
import { isObject } from './json.js';

/** What an error body says. */
export interface ErrorContent {
  message: string;
  /** Present where fields are to blame. */
  errors?: FieldErrors | undefined;
  code?: ErrorCode | (string & {}) | undefined;
}

/** The body of a refusal: `{ "message", "errors"?, "code"? }`. */
export interface ErrorWire {
  encode(content: ErrorContent): unknown;
  /** Takes what it can read; an answer of another form gives an empty object. */
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

/** Takes a field's messages as a list, or as one text. */
const readFieldErrors = (errors: Record<string, unknown>): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [
      field,
      (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string'),
    ]),
  );
