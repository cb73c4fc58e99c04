import type { ErrorCode } from 'worktrack/contract';

/** The text of an error code's page, in Markdown. */
export interface ErrorCodePage {
  cause: string;
  fix: string;
  /** Statements for the body of an `if` that handles this code. */
  handle: string;
}

/** A page for each error code. A code without a page doesn't compile. */
export const errorCodePages: Record<ErrorCode, ErrorCodePage> = {
  malformed_json: {
    cause: "The body of the request isn't valid JSON. The server didn't process the request.",
    fix: 'The client never sends such a request. Look for a proxy that changes bodies, or for code that calls the API without the client and forgets `JSON.stringify`.',
    handle: "console.error('Something between here and the server changes bodies.', error.requestId);",
  },
  invalid_credential: {
    cause:
      "The token is missing, unknown, or revoked, or the request uses another scheme than `Bearer`. The server hasn't checked anything else.",
    fix: 'Make sure that `WORKTRACK_TOKEN` (or the `token` option) contains a token of this deployment, without quotes or spaces. If your tokens expire, pass a function as `token`. The client calls it before each attempt.',
    handle: 'await signIn(); // or read the new token',
  },
  wrong_organization: {
    cause: "The request uses the path or a record of another organization than the credential's.",
    fix: 'Check `WORKTRACK_ORGANIZATION` (or the `organization` option) and where the ID comes from. To work in two organizations you need two credentials.',
    handle: "console.error('A record of another organization:', error.message);",
  },
  missing_scope: {
    cause: "The credential is valid, but it doesn't have the scope that this operation requires.",
    fix: 'The message names the scope. Request a credential that has it. The [scopes table](/reference/scopes) shows what else the scope allows.',
    handle: 'console.error(error.message); // names the scope to request',
  },
  not_found: {
    cause:
      "The record doesn't exist: the ID is unknown, the record was deleted, or its parent was deleted. A ticket is deleted with its board or its project. Or the path isn't part of the API.",
    fix: 'If you stored the ID earlier, treat the record as deleted. If the ID is new, check that it has the right type, for example a ticket ID and not a board ID.',
    handle: 'cache.delete(id); // someone deleted it',
  },
  method_not_allowed: {
    cause:
      "The path exists, but it doesn't support this method. The `Allow` header lists the methods that it does support.",
    fix: 'The client never sends such a request. Compare your own request with the [endpoints](/reference/endpoints).',
    handle: "console.error('Supported:', error.headers.get('allow'));",
  },
  payload_too_large: {
    cause: 'The body is larger than the server accepts.',
    fix: 'Send less data. The largest field, the `content_html` of a document, accepts 1,000,000 characters. Link to images instead of embedding them.',
    handle: "showMessage('This text is too long. Link to images instead of embedding them.');",
  },
  validation_failed: {
    cause:
      'A field is missing, has the wrong type, or exceeds a limit. The client finds such fields before it sends anything and throws an `InvalidRequestError`. If the server reports them, its rules differ from the contract, or the request was sent without the client.',
    fix: 'Read `fieldErrors`. It lists every invalid field with all of its problems. See [limits](/reference/limits) for all limits.',
    handle:
      "for (const [field, messages] of Object.entries(error.fieldErrors)) {\n  form.setError(field, messages.join(', '));\n}",
  },
  invalid_relation: {
    cause:
      "An ID refers to a record that can't be used here: an assignee who can't see the project, a label of another project, an editor outside the organization, or a deleted project.",
    fix: '`fieldErrors` names the field. Use assignees from `projects.members.list` and labels from `projects.labels.list`.',
    handle:
      "for (const [field, messages] of Object.entries(error.fieldErrors)) {\n  form.setError(field, messages.join(', '));\n}",
  },
  invalid_board: {
    cause: 'The board was deleted, belongs to another project, or never existed.',
    fix: 'Read the boards again with `boards.list` and use one of them. Someone may have deleted the board that you had.',
    handle: 'boards = await client.boards.list(projectId); // let the user choose again',
  },
  wip_limit_reached: {
    cause:
      'The board has a work-in-progress limit (`wip_limit`) and is full. The request would add a ticket to it: a new ticket, a moved ticket, or the tickets of a deleted board. The server changed nothing.',
    fix: 'This is a rule of the team, not a failure, so show it to the user. They can finish or move a ticket, choose another board, or raise `wip_limit` with `boards.update`. Moves within the board always work.',
    handle: "showMessage('This board is full. Finish a ticket first, or choose another board.');",
  },
  invalid_board_list: {
    cause:
      'The new order must contain every board of the project exactly once. A board is missing, duplicated, deleted, or from another project.',
    fix: 'Read the boards again, apply your change to that list, and send the complete list.',
    handle: 'boards = await client.boards.list(projectId); // apply the change to this list, and send it',
  },
  invalid_ticket_list: {
    cause:
      'The new order must contain every ticket of the board exactly once. A ticket is missing, duplicated, deleted, or on another board.',
    fix: "Read the tickets of the board again, apply your change to that list, and send the complete list. To move a single ticket, use `tickets.move` with a `position`, which doesn't need the list.",
    handle: 'tickets = await client.tickets.list(projectId, { board_id: boardId }).toArray();',
  },
  target_board_required: {
    cause: "The board still has tickets, and the request doesn't say where to move them.",
    fix: 'Pass `move_to_board_id`, or move or delete the tickets first.',
    handle:
      'const target = await askForBoard();\nawait client.boards.delete(boardId, { move_to_board_id: target });',
  },
  invalid_target_board: {
    cause: "`move_to_board_id` isn't another board of the same project.",
    fix: "Choose a board from `boards.list`. You can't choose the board that you delete.",
    handle:
      'const others = (await client.boards.list(projectId)).filter(({ id }) => id !== boardId);\nshowChoice(others);',
  },
  invalid_recipient: {
    cause: "A user in `user_ids` doesn't belong to the organization of the credential. Nobody was notified.",
    fix: '`fieldErrors` names the entry, such as `user_ids.2`. Use recipients from `projects.members.list`.',
    handle: 'console.error(Object.keys(error.fieldErrors)); // such as user_ids.2',
  },
  invalid_url: {
    cause:
      'The `url` of a notification must be an internal path: `/app` or a path below it, as a browser resolves it. Other hosts, `//host`, and `/app/../elsewhere` are invalid.',
    fix: 'Send a path such as `/app/projects/apollo`, or omit `url`.',
    handle: "showMessage('Use a path such as /app/projects/apollo.');",
  },
  rate_limited: {
    cause: 'You sent too many requests in a short time. The server did nothing.',
    fix: 'The client retries after `Retry-After`, unless that is longer than `retry.maxRetryAfter` or the remaining `deadline`. Then, or after the last retry, you get this error. Wait `retryAfter` seconds, send fewer requests, or set a `budget`. See [rate limits](/guide/rate-limits).',
    handle: 'await queue.pause((error.retryAfter ?? 60) * 1000);',
  },
};
