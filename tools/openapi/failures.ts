import { type ErrorCode, errorCodes, errorCodesOf, type Operation } from 'worktrack/contract';
import type { ErrorExamples } from './error-examples.js';
import type { JsonSchema } from './schemas.js';

/** The schema of every error body. */
export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'A human-readable message.' },
      errors: {
        type: 'object',
        description: 'Error messages by field. Nested field names use dots, as in `tag_names.3`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      code: {
        type: 'string',
        description: `A machine-readable code, one of \`${Object.keys(errorCodes).join('`, `')}\`.`,
      },
    },
  },
};

const meanings: Record<number, string> = {
  400: "The body isn't valid JSON",
  401: 'The credential is missing or invalid',
  403: 'The credential belongs to another organization or lacks the required scope',
  404: "The record doesn't exist or was deleted",
  413: 'The body is too large',
  429: 'Too many requests. `Retry-After` contains the number of seconds to wait',
};

/**
 * Returns the error responses shared by all operations.
 *
 * @param examples the mock server's response for each error code
 */
export function errorResponses(examples: ErrorExamples): Record<string, unknown> {
  const entries = Object.entries(meanings).map(([text, description]): [string, unknown] => {
    const status = Number(text);
    const codes = codesOf(status);
    const wait = status === 429 && retryAfter(examples.get('rate_limited')?.retryAfter);
    const headers = wait && { headers: { 'Retry-After': wait } };
    return [nameOf(status), { description, ...headers, content: errorContent(codes, examples) }];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns an operation's error responses, keyed by status.
 *
 * @param examples the mock server's responses for the operation's 422 codes
 */
export function failureResponses(operation: Operation, examples: ErrorExamples): Record<string, unknown> {
  const statuses = Object.keys(meanings).filter(
    (status) => errorCodesOf(operation, Number(status)).length > 0,
  );
  const shared = statuses.map((status) => [
    status,
    { $ref: `#/components/responses/${nameOf(Number(status))}` },
  ]);
  const { errorCodes } = operation;
  return {
    ...Object.fromEntries(shared),
    ...(errorCodes.length > 0 && {
      422: {
        description: `The request exceeds a limit or violates a rule: \`${errorCodes.join('`, `')}\``,
        content: errorContent(errorCodes, examples),
      },
    }),
  };
}

function errorContent(codes: readonly ErrorCode[], examples: ErrorExamples) {
  const named = codes.flatMap((code) => {
    const example = examples.get(code);
    return example ? [[code, { value: example.body }]] : [];
  });
  return { 'application/json': { schema: errorWith(codes), examples: Object.fromEntries(named) } };
}

const retryAfter = (example: string | null | undefined) => ({
  description: 'Seconds to wait',
  schema: { type: 'string' },
  example,
});

function errorWith(codes: readonly ErrorCode[]): JsonSchema {
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { code: { type: 'string', enum: codes } } },
    ],
  };
}

function codesOf(status: number): ErrorCode[] {
  return (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code] === status);
}

function nameOf(status: number): string {
  const [first = ''] = codesOf(status);
  return status === 403
    ? 'Forbidden'
    : first.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
