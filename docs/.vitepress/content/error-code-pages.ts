import type { ErrorCode } from 'worktrack/contract';

/** The content of an error code's page, in Markdown. */
export interface ErrorCodePage {
  cause: string;
  fix: string;
  /** The statements inside an `if` block that handles this error code. */
  handle: string;
}

/** The pages for all error codes. */
export const errorCodePages: Record<ErrorCode, ErrorCodePage> = {
  malformed_json: {
    cause: "The request body isn't valid JSON. The server didn't process the request.",
    fix: 'The client always sends valid JSON. Check whether a proxy changes request bodies, or whether other code calls the API without `JSON.stringify`.',
    handle: "console.error('A proxy may have changed the request body.', error.requestId);",
  },
  invalid_credential: {
    cause:
      "The token is missing, unknown, or revoked, or the scheme isn't `Bearer`. The server checks the token before the scope, record, and body, so the request may also contain other errors.",
    fix: 'Make sure that `WORKTRACK_TOKEN` or the `token` option contains a token for this deployment, without quotes or spaces. If your tokens expire, pass a function as `token`. The client calls it before each attempt.',
    handle: 'await signIn(); // or read the new token',
  },
  wrong_organization: {
    cause:
      "The credential isn't for the organization in the path, or the record belongs to another organization.",
    fix: 'Check `WORKTRACK_ORGANIZATION` or the `organization` option, and make sure that the credential belongs to that organization. To access two organizations, you need two credentials.',
    handle: "console.error('The record belongs to another organization:', error.message);",
  },
  missing_scope: {
    cause: 'The credential is valid, but it lacks the scope that the operation requires.',
    fix: 'Use a credential with the scope that [Scopes](/reference/scopes) lists for the operation in `error.operation`.',
    handle: 'console.error(error.operation, error.message);',
  },
  not_found: {
    cause:
      "The record doesn't exist or was deleted, or the path isn't part of the API. Deleting a project also deletes its boards and tickets.",
    fix: "If you stored the ID earlier, treat the record as deleted. Otherwise, check that you passed the right kind of ID. For example, make sure that you didn't pass a board ID instead of a ticket ID.",
    handle: 'cache.delete(id); // the record was deleted',
  },
  method_not_allowed: {
    cause: "The path doesn't support this method. The `Allow` header lists the supported methods.",
    fix: "The client's methods never cause this error. If you send the request yourself, check the method in [Endpoints](/reference/endpoints).",
    handle: "console.error('Supported methods:', error.headers.get('allow'));",
  },
  payload_too_large: {
    cause: "The request body exceeds the server's size limit.",
    fix: "Send less data. The largest field, a document's `content_html`, can have up to 1,000,000 characters. Link to images instead of embedding them.",
    handle: "showMessage('This text is too long. Link to images instead of embedding them.');",
  },
  validation_failed: {
    cause:
      "A field is missing, has the wrong type, or exceeds a limit. The client usually detects this and throws an `InvalidRequestError` before it sends a request. You get this error if the server's limits are stricter than the contract's, or if the request bypassed validation.",
    fix: 'Check `fieldErrors`, which lists the errors for each invalid field. For all limits, see [Limits](/reference/limits).',
    handle:
      "for (const [field, messages] of Object.entries(error.fieldErrors)) {\n  form.setError(field, messages.join(', '));\n}",
  },
  invalid_relation: {
    cause:
      "An ID refers to a record that you can't use here. For example, an assignee can't see the project, a label belongs to another project, an editor belongs to another organization, or a project was deleted.",
    fix: 'Check `fieldErrors` to find the invalid field. Use assignees from `projects.members.list` and labels from `projects.labels.list`.',
    handle:
      "for (const [field, messages] of Object.entries(error.fieldErrors)) {\n  form.setError(field, messages.join(', '));\n}",
  },
  invalid_board: {
    cause: "The board doesn't exist, was deleted, or belongs to another project.",
    fix: 'Someone may have deleted the board. Fetch the boards again with `boards.list`, and choose one of them.',
    handle: 'boards = await client.boards.list(projectId); // let the user choose again',
  },
  wip_limit_reached: {
    cause:
      "The request would exceed the board's work-in-progress limit (`wip_limit`). The limit applies when you create a ticket, move one from another board, or delete a board and move its tickets. The server didn't change anything.",
    fix: 'Show the error to the user. Users can move a ticket off the board, choose another board, or increase `wip_limit` with `boards.update`. Moving tickets within the board is always allowed.',
    handle: "showMessage('This board is full. Move a ticket first, or choose another board.');",
  },
  invalid_board_list: {
    cause:
      "The list doesn't contain every board in the project exactly once. A board is missing, duplicated, deleted, or from another project.",
    fix: 'Fetch the boards again, change their order, and send the complete list.',
    handle: 'boards = await client.boards.list(projectId); // reorder this list and send it',
  },
  invalid_ticket_list: {
    cause:
      "The list doesn't contain every ticket on the board exactly once. A ticket is missing, duplicated, deleted, or on another board.",
    fix: "Fetch the board's tickets again, change their order, and send the complete list. To move only one ticket, call `tickets.move` with a `position` instead.",
    handle:
      'tickets = await client.tickets.list(projectId, { board_id: boardId }).toArray({ complete: true });',
  },
  target_board_required: {
    cause: "The board still has tickets, and the request doesn't specify a board to move them to.",
    fix: 'Pass `move_to_board_id`. You can also move or delete the tickets first.',
    handle:
      'const target = await askForBoard();\nawait client.boards.delete(boardId, { move_to_board_id: target });',
  },
  invalid_target_board: {
    cause: "`move_to_board_id` isn't the ID of another board in the same project.",
    fix: "Choose a board from `boards.list`. You can't choose the board you're deleting.",
    handle:
      'const others = (await client.boards.list(projectId)).filter(({ id }) => id !== boardId);\nshowChoice(others);',
  },
  invalid_recipient: {
    cause:
      "A user in `user_ids` doesn't belong to the credential's organization. The server didn't notify any users.",
    fix: 'Check `fieldErrors` to find the invalid entry, such as `user_ids.2`. Use IDs from `projects.members.list`.',
    handle: "console.error(Object.keys(error.fieldErrors)); // for example ['user_ids.2']",
  },
  invalid_url: {
    cause:
      "The notification's `url` isn't an internal path. It must be `/app`, or resolve to a path under `/app`. Other hosts, `//host`, and `/app/../elsewhere` are invalid. `notifications.send` detects this and throws an `InvalidRequestError` before it sends a request. You get this error if the server's rules are stricter, or if the request bypassed validation.",
    fix: 'Send a path such as `/app/projects/apollo`, or omit `url`.',
    handle: "showMessage('Use a path such as /app/projects/apollo.');",
  },
  rate_limited: {
    cause: "You sent too many requests in a short time. The server didn't process this one.",
    fix: "Wait `retryAfter` seconds before you try again. To stay below the rate limit, send fewer requests or set a `throttle`. The client throws this error only after the last retry, or if the call can't wait because of `waitForRateLimit`, `retry.maxRetryAfter`, or the `totalTimeout`. See [Rate limits](/guide/rate-limits).",
    handle: 'await queue.pause((error.retryAfter ?? 60) * 1000);',
  },
};
