import type * as worktrack from 'worktrack';

/** Names of the exported error classes. */
export type ErrorClassName = {
  [Name in keyof typeof worktrack]: Name extends `is${string}`
    ? never
    : Name extends `${string}Error`
      ? Name
      : never;
}[keyof typeof worktrack];

/** The text of an error class's page, in Markdown. */
export interface ErrorPage {
  /** Its `code`; undefined for the base class. */
  code?: string;
  status?: string;
  cause: string;
  fix: string;
  /** Statements for the body of `if (error instanceof …) { }`. */
  handle: string;
  /** The values that `outcome` can have. */
  outcomes: string[];
}

/** A page for each class. A class without a page doesn't compile. */
export const errorPages: Record<ErrorClassName, ErrorPage> = {
  WorktrackError: {
    cause: 'The base class of all errors of this package. The client only throws its subclasses.',
    fix: 'Catch it at the edge of your program and log `error.toJSON()`. Check `outcome` before you send the request again. `isWorktrackError(error)` also recognizes errors of another copy of the package.',
    handle: 'logger.error(error.toJSON());',
    outcomes: ['not_sent', 'rejected', 'unknown', 'done'],
  },
  ConfigurationError: {
    code: 'configuration',
    cause:
      "The options of the client or the call are invalid. For example, the base URL is missing or isn't a URL, an operation needs an organization, or a token function failed. In the last case its error is the `cause`.",
    fix: 'Fix the option that the message names. Nothing was sent.',
    handle: 'console.error(error.message);\nprocess.exitCode = 2;',
    outcomes: ['not_sent'],
  },
  InvalidRequestError: {
    code: 'invalid_request',
    cause:
      'The payload violates a limit or a type of the contract, or it has an unknown field. The client found this before it sent anything.',
    fix: 'Show `fieldErrors` to the user. It lists every invalid field, in the same format as `UnprocessableError`.',
    handle:
      "for (const [field, messages] of Object.entries(error.fieldErrors)) {\n  form.setError(field, messages.join(', '));\n}",
    outcomes: ['not_sent'],
  },
  ConnectionError: {
    code: 'connection',
    cause:
      'No usable response arrived. The connection was refused or reset, the host is unknown, TLS failed, or the body was cut off.',
    fix: 'The client has already retried what is safe to retry. For a create, check `outcome`. If it is `unknown`, look for the record before you create it again.',
    handle: "if (error.outcome === 'unknown') await lookForTheRecord();",
    outcomes: ['not_sent', 'unknown', 'done'],
  },
  RequestTimeoutError: {
    code: 'timeout',
    cause:
      'One attempt took longer than `timeout`, or the whole call took longer than `deadline`. The property `limit` shows which one.',
    fix: 'Raise the limit for this call if the operation is slow. For a create with the outcome `unknown`, look for the record before you create it again.',
    handle: 'console.warn(error.operation, error.limit, error.milliseconds);',
    outcomes: ['not_sent', 'unknown', 'done'],
  },
  RequestAbortedError: {
    code: 'aborted',
    cause: 'Your own `signal` was aborted. Its reason is the `cause`.',
    fix: 'Usually nothing. If the call was a write and `outcome` is `unknown`, the server may have done it.',
    handle: 'return; // the user left the page',
    outcomes: ['not_sent', 'unknown', 'done'],
  },
  ApiError: {
    code: 'api',
    status: 'any other than 2xx',
    cause:
      'The server responded with an error. This is the base class of the six classes for known statuses, and the class of all other statuses, such as a redirect, 405, or 413.',
    fix: 'Read `status`, `reason`, and the message. Include `requestId` when you contact the operator of the deployment.',
    handle: 'console.error(error.status, error.reason, error.requestId);',
    outcomes: ['rejected', 'unknown'],
  },
  AuthenticationError: {
    code: 'authentication',
    status: '401',
    cause: "The server doesn't accept the token.",
    fix: 'See [`invalid_credential`](/errors/invalid_credential).',
    handle: 'await signIn();',
    outcomes: ['rejected'],
  },
  PermissionDeniedError: {
    code: 'permission_denied',
    status: '403',
    cause: 'The credential is valid, but it lacks the required scope or belongs to another organization.',
    fix: '`reason` shows which one: [`missing_scope`](/errors/missing_scope) or [`wrong_organization`](/errors/wrong_organization).',
    handle: "if (error.reason === 'missing_scope') console.error(error.message); // names the scope",
    outcomes: ['rejected'],
  },
  NotFoundError: {
    code: 'not_found',
    status: '404',
    cause: "The record doesn't exist, or it was deleted.",
    fix: "See [`not_found`](/errors/not_found). If the response to a DELETE is lost and the retry gets a 404, the call succeeds and you don't get this error.",
    handle: 'cache.delete(id);',
    outcomes: ['rejected'],
  },
  UnprocessableError: {
    code: 'unprocessable',
    status: '422',
    cause:
      'The server understood the request, but a limit or a rule forbids it, such as a WIP limit. The server changed nothing.',
    fix: "Branch on `reason` and show `fieldErrors`. If the server doesn't send a reason, `possibleReasons` lists the ones that the contract allows.",
    handle: "if (error.reason === 'wip_limit_reached') showMessage('This board is full.');",
    outcomes: ['rejected'],
  },
  RateLimitError: {
    code: 'rate_limited',
    status: '429',
    cause:
      'You sent too many requests. Either the retries of the client also got a 429, or the server asked for a longer wait than `retry.maxRetryAfter` or the `deadline` allows. In the latter case the client fails without waiting.',
    fix: 'Wait `retryAfter` seconds, then send fewer requests. See [rate limits](/guide/rate-limits).',
    handle: 'await queue.pause((error.retryAfter ?? 60) * 1000);',
    outcomes: ['rejected', 'not_sent'],
  },
  ServerError: {
    code: 'server',
    status: '5xx',
    cause: 'The server failed. The client has already retried the request if that was safe.',
    fix: 'Retry a read later. For a create, the outcome is `unknown`: look for the record before you create it again.',
    handle: "if (error.outcome === 'unknown') await lookForTheRecord();",
    outcomes: ['unknown'],
  },
  InvalidResponseError: {
    code: 'invalid_response',
    status: '2xx',
    cause:
      "The request succeeded, but the response doesn't match the contract: it isn't JSON, it has no `data`, or, with `responseValidation: 'throw'`, a field is invalid.",
    fix: "If the call was a write, the server did it, so don't send it again. `body` contains the response. If the deployment uses another format, see [custom wire formats](/guide/custom-wire-formats).",
    handle: 'console.error(error.fieldErrors, error.body);',
    outcomes: ['done'],
  },
};
