import type * as worktrack from 'worktrack';

/** The names of the exported error classes. */
export type ErrorClassName = {
  [Name in keyof typeof worktrack]: Name extends `is${string}`
    ? never
    : Name extends `${string}Error`
      ? Name
      : never;
}[keyof typeof worktrack];

/** The content of an error class's page, in Markdown. */
export interface ErrorPage {
  /** The class's `code`; undefined for the base class. */
  code?: string;
  status?: string;
  cause: string;
  fix: string;
  /** The statements inside `if (error instanceof …) { }`. */
  handle: string;
  /** The possible `outcome` values. */
  outcomes: string[];
}

/** The pages for all error classes. */
export const errorPages: Record<ErrorClassName, ErrorPage> = {
  WorktrackError: {
    cause:
      'This is the base class of all errors that the client throws. Imports, syncs, and change feeds also throw [other subclasses](/errors/#errors-of-jobs).',
    fix: 'Catch it at the top level of your program, and log `error.toJSON()`. Before you send a request again, check `outcome`.',
    handle: 'logger.error(error.toJSON());',
    outcomes: ['not_sent', 'rejected', 'unknown', 'done'],
  },
  ConfigurationError: {
    code: 'configuration',
    cause:
      'A client option or call option is missing or invalid. For example, the base URL is missing or malformed, an operation needs an organization, or your token function threw an error. If the function threw an error, the `cause` property contains it.',
    fix: 'Fix the option named in the message. Usually, no request was sent. If the token function fails after a 401 or before a retry, or a custom `fetch` returns something other than a response, `outcome` indicates what happened to the earlier request.',
    handle: 'console.error(error.message);\nprocess.exitCode = 2;',
    outcomes: ['not_sent', 'rejected', 'unknown', 'done'],
  },
  InvalidRequestError: {
    code: 'invalid_request',
    cause:
      "An ID, a query parameter, or a field of the payload is missing, unknown, or invalid. For example, a value has the wrong type or exceeds a limit. The client didn't send a request.",
    fix: 'Show `fieldErrors` to the user. It lists the invalid fields in the same format as `UnprocessableError`.',
    handle:
      "for (const [field, messages] of Object.entries(error.fieldErrors)) {\n  form.setError(field, messages.join(', '));\n}",
    outcomes: ['not_sent'],
  },
  IncompleteListError: {
    code: 'incomplete_list',
    cause:
      'A complete read stopped because the list changed faster than it could be read, or because records have no `id`. Reading any list fails with this error if the list never ends, for example because the server ignores the page number.',
    fix: 'Read the list again when fewer users are changing it, or use filters to read a shorter list. With `findOrCreate`, pass `match` and `q` to search fewer records. If the list never ends, check the `page` setting of the `wire` option. See [Read a list completely](/guide/pagination#read-a-list-completely).',
    handle: 'console.warn(error.operation, error.passes, error.message);',
    outcomes: ['done'],
  },
  ConnectionError: {
    code: 'connection',
    cause:
      "The client didn't receive a complete response. For example, the connection was refused or reset, the host is unknown, TLS failed, or the response body was cut off.",
    fix: 'If the request was safe to retry, the client has already retried it. If you were creating a record and the `outcome` is `unknown`, look for the record before you create it again.',
    handle: "if (error.outcome === 'unknown') await lookForTheRecord();",
    outcomes: ['not_sent', 'unknown', 'done'],
  },
  RequestTimeoutError: {
    code: 'timeout',
    cause:
      'An attempt took longer than `timeout`, or the entire call took longer than `totalTimeout`. The `limit` property contains the name of that option.',
    fix: 'If the operation is slow, increase the option for this call. If you were creating a record and the `outcome` is `unknown`, look for the record before you create it again.',
    handle: 'console.warn(error.operation, error.limit, error.milliseconds);',
    outcomes: ['not_sent', 'rejected', 'unknown', 'done'],
  },
  RequestAbortedError: {
    code: 'aborted',
    cause: "Your code aborted the `signal`. The signal's reason is the error's `cause`.",
    fix: "Usually, you don't need to do anything. If the call was a write and the error's `outcome` is `unknown`, the server may have processed it.",
    handle: 'return; // the user left the page',
    outcomes: ['not_sent', 'rejected', 'unknown', 'done'],
  },
  ApiError: {
    code: 'api',
    status: 'any status except 2xx',
    cause:
      'The server responded with an error status. Six subclasses represent the most common statuses. For other statuses, such as 405, 413, or a redirect, the client throws an `ApiError`.',
    fix: "Check `status`, `code`, and the message. If `outcome` is `not_sent`, the error is a [`RateLimitError`](/errors/RateLimitError). If you report the error to your deployment's operator, include `requestId`.",
    handle: 'console.error(error.status, error.code, error.requestId);',
    outcomes: ['rejected', 'unknown'],
  },
  AuthenticationError: {
    code: 'authentication',
    status: '401',
    cause: 'The token is missing, unknown, or revoked.',
    fix: 'See [`invalid_credential`](/errors/invalid_credential).',
    handle: 'await signIn();',
    outcomes: ['rejected', 'unknown'],
  },
  PermissionDeniedError: {
    code: 'permission_denied',
    status: '403',
    cause: 'The credential is valid, but it lacks the required scope or belongs to another organization.',
    fix: "Check `code`, which is [`missing_scope`](/errors/missing_scope) or [`wrong_organization`](/errors/wrong_organization), or `permission_denied` if the server doesn't send an error code.",
    handle: "if (error.code === 'missing_scope') console.error(error.operation, error.message);",
    outcomes: ['rejected', 'unknown'],
  },
  NotFoundError: {
    code: 'not_found',
    status: '404',
    cause: "The record doesn't exist, or it was deleted.",
    fix: "See [`not_found`](/errors/not_found). If the response to a DELETE is lost and the retry returns 404, the call succeeds, so the client doesn't throw this error.",
    handle: 'cache.delete(id);',
    outcomes: ['rejected', 'unknown'],
  },
  UnprocessableError: {
    code: 'unprocessable',
    status: '422',
    cause:
      "A field is missing or invalid, or the request violates a rule, such as a WIP limit. This request didn't change anything.",
    fix: "Branch on `code`, and show `fieldErrors` to the user. If the server doesn't send an error code, use `possibleCodes`, which lists the codes that the contract allows.",
    handle: "if (error.code === 'wip_limit_reached') showMessage('This board is full.');",
    outcomes: ['rejected', 'unknown'],
  },
  RateLimitError: {
    code: 'rate_limited',
    status: '429',
    cause:
      "You sent too many requests, and the client has no retries left. The client also throws this error, without waiting, if the `Retry-After` time exceeds `retry.maxRetryAfter` or the `totalTimeout`. If an earlier 429 has paused the credential, calls that can't wait, for example because of `waitForRateLimit: false`, fail before the client sends or retries the request. If `code` is `throttled`, the client didn't send or retry the request, because its own `throttle` would have delayed it beyond the `totalTimeout`, or because `waitForRateLimit` is false.",
    fix: 'Wait `retryAfter` seconds, then send fewer requests per minute. See [Rate limits](/guide/rate-limits).',
    handle: 'await queue.pause((error.retryAfter ?? 60) * 1000);',
    outcomes: ['not_sent', 'rejected', 'unknown', 'done'],
  },
  ServerError: {
    code: 'server',
    status: '5xx',
    cause:
      'The server failed to process the request. If the request was safe to retry, the client has already retried it after a 500, 502, 503, or 504.',
    fix: 'Try again later. If you were creating a record, look for it first, because the `outcome` is `unknown`.',
    handle: "if (error.outcome === 'unknown') await lookForTheRecord();",
    outcomes: ['unknown'],
  },
  InvalidResponseError: {
    code: 'invalid_response',
    status: '2xx',
    cause:
      "The request succeeded, but the client can't use the response. For example, the response isn't JSON, has no `data`, or is larger than `maxResponseBytes`. With `responseValidation: 'throw'`, invalid fields also cause this error.",
    fix: "If the call was a write, don't send it again, because the server has already processed it. The `body` property contains the response, unless it was too large. If your deployment uses a different format, see [Custom wire formats](/guide/custom-wire-formats).",
    handle: 'console.error(error.fieldErrors, error.body);',
    outcomes: ['done'],
  },
};
