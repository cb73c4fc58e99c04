import type * as worktrack from 'worktrack';

/** Names of the exported classes of errors. */
export type ErrorClassName = {
  [Name in keyof typeof worktrack]: Name extends `is${string}`
    ? never
    : Name extends `${string}Error`
      ? Name
      : never;
}[keyof typeof worktrack];

/** What an error class's page says; Markdown. */
export interface ErrorPage {
  /** Its `code`; none for the two bases. */
  code?: string;
  status?: string;
  happened: string;
  todo: string;
  /** The values that `outcome` can have. */
  outcomes: string[];
}

/** A page for each class; one without a page does not compile. */
export const errorPages: Record<ErrorClassName, ErrorPage> = {
  WorktrackError: {
    happened:
      'Something went wrong in this package. It is the base of all other classes and is never thrown itself.',
    todo: 'Catch it at the edge of your program, log `error.toJSON()`, and look at `outcome` before you try again. `isWorktrackError(error)` also recognises errors of another copy of the package.',
    outcomes: ['not_sent', 'rejected', 'unknown', 'done'],
  },
  ConfigurationError: {
    code: 'configuration',
    happened:
      'The client’s options, or this call’s, cannot work: no base URL, a base URL that is none, no organization for an operation that needs one, a token function that failed (its error is the `cause`).',
    todo: 'Fix the option that the message names. Nothing was sent.',
    outcomes: ['not_sent'],
  },
  InvalidRequestError: {
    code: 'invalid_request',
    happened:
      'The payload breaks a limit or a type of the contract, or has a field that the API does not know. The client noticed before sending.',
    todo: 'Show `fieldErrors` to whoever filled in the form: each field with everything that is wrong with it, in the same shape as `UnprocessableError`.',
    outcomes: ['not_sent'],
  },
  ConnectionError: {
    code: 'connection',
    happened:
      'No usable answer came: the connection was refused or reset, the name is unknown, TLS failed, or the body was cut off.',
    todo: 'What is safe to repeat has been repeated already. For a create, look at `outcome`: after `unknown`, find out whether the record is there before you send it again.',
    outcomes: ['not_sent', 'unknown', 'done'],
  },
  RequestTimeoutError: {
    code: 'timeout',
    happened:
      'One attempt took longer than `timeout`, or the whole call longer than `deadline`; `limit` says which.',
    todo: 'Raise the limit for this call if the work is large. For a create with outcome `unknown`, look before you repeat.',
    outcomes: ['not_sent', 'unknown', 'done'],
  },
  RequestAbortedError: {
    code: 'aborted',
    happened: 'Your own `signal` ended the call. Its reason is the `cause`.',
    todo: 'Usually nothing. If it was a write that had been sent already (`outcome` is `unknown`), the server may have done it.',
    outcomes: ['not_sent', 'unknown', 'done'],
  },
  ApiError: {
    code: 'api',
    status: 'any other than 2xx',
    happened:
      'The server answered, and not with a success. It is the base of the six classes for known statuses, and the class of all others (a redirect, 405, 409, 413).',
    todo: 'Read `status`, `reason` and the message. Quote `requestId` when you ask the operator.',
    outcomes: ['rejected', 'unknown'],
  },
  AuthenticationError: {
    code: 'authentication',
    status: '401',
    happened: 'The server does not know the token.',
    todo: 'See [`invalid_credential`](/errors/invalid_credential).',
    outcomes: ['rejected'],
  },
  PermissionDeniedError: {
    code: 'permission_denied',
    status: '403',
    happened:
      'The credential is good, but not for this: it lacks the scope, or belongs to another organization.',
    todo: '`reason` says which: [`missing_scope`](/errors/missing_scope) or [`wrong_organization`](/errors/wrong_organization).',
    outcomes: ['rejected'],
  },
  NotFoundError: {
    code: 'not_found',
    status: '404',
    happened: 'The record does not exist, or is deleted.',
    todo: 'See [`not_found`](/errors/not_found). A DELETE that was repeated after a lost answer and now meets 404 counts as a success; you do not see this error then.',
    outcomes: ['rejected'],
  },
  UnprocessableError: {
    code: 'unprocessable',
    status: '422',
    happened:
      'The server understood the request and a rule forbids it: a WIP limit, a relation, an incomplete list. Nothing was changed.',
    todo: 'Branch on `reason`; show `fieldErrors`. Where a server gives no reason, `possibleReasons` lists what the contract allows here.',
    outcomes: ['rejected'],
  },
  RateLimitError: {
    code: 'rate_limited',
    status: '429',
    happened: 'Too many requests, still after the client’s own retries.',
    todo: 'Wait `retryAfter` seconds, then go slower. See [rate limits](/guide/rate-limits).',
    outcomes: ['rejected'],
  },
  ServerError: {
    code: 'server',
    status: '5xx',
    happened: 'The server failed, still after the client’s own retries where repeating was safe.',
    todo: 'For a read, try later. For a create the outcome is `unknown`: look before you repeat.',
    outcomes: ['unknown'],
  },
  InvalidResponseError: {
    code: 'invalid_response',
    status: '2xx',
    happened:
      "A success whose body is not what the contract says: no JSON, no `data`, or, with `responseValidation: 'throw'`, a field that does not fit.",
    todo: 'The write, if it was one, is done: do not repeat it. `body` has what came. If the deployment wraps its answers differently, tell the client once: [what the specification leaves open](/guide/custom-wire-formats).',
    outcomes: ['done'],
  },
};
