import { type FailureCode, failureCodes, failureCodesOf, type Operation } from 'worktrack/contract';
import type { JsonSchema } from './schemas.js';

/** The body of every refusal. */
export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    required: ['message'],
    properties: {
      message: { type: 'string', description: 'For people.' },
      errors: {
        type: 'object',
        description: 'What is wrong, by field; nested fields with dots, such as `tag_names.3`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      code: {
        type: 'string',
        description: `For programs. One of \`${Object.keys(failureCodes).join('`, `')}\`.`,
      },
    },
  },
};

const meanings: Record<number, string> = {
  400: 'The body is not JSON',
  401: 'The credential is missing or invalid',
  403: 'The credential belongs to another organization, or lacks the scope',
  404: 'Unknown, or deleted',
  413: 'The body is too large',
  429: 'Too many requests; `Retry-After` says how many seconds to wait',
};

/** The refusals that are the same for every operation that can answer with them. */
export const errorResponses = Object.fromEntries(
  Object.entries(meanings).map(([status, description]) => [
    nameOf(Number(status)),
    {
      description,
      ...(status === '429' && {
        headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'string' } } },
      }),
      content: { 'application/json': { schema: errorWith(codesOf(Number(status))) } },
    },
  ]),
);

/** The refusals of one operation, by status. */
export function failureResponses(operation: Operation): Record<string, unknown> {
  const statuses = Object.keys(meanings).filter(
    (status) => failureCodesOf(operation, Number(status)).length > 0,
  );
  const shared = statuses.map((status) => [
    status,
    { $ref: `#/components/responses/${nameOf(Number(status))}` },
  ]);
  const { failures } = operation;
  return {
    ...Object.fromEntries(shared),
    ...(failures.length > 0 && {
      422: {
        description: `Refused by a limit or a rule: \`${failures.join('`, `')}\``,
        content: { 'application/json': { schema: errorWith(failures) } },
      },
    }),
  };
}

function errorWith(codes: readonly FailureCode[]): JsonSchema {
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { code: { type: 'string', enum: codes } } },
    ],
  };
}

function codesOf(status: number): FailureCode[] {
  return (Object.keys(failureCodes) as FailureCode[]).filter((code) => failureCodes[code] === status);
}

function nameOf(status: number): string {
  const [first = ''] = codesOf(status);
  return status === 403
    ? 'Forbidden'
    : first.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
