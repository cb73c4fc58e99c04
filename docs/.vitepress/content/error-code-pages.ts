import type { ErrorCode } from 'worktrack/contract';

/** What an error code's page says; Markdown. */
export interface ErrorCodePage {
  happened: string;
  todo: string;
}

/** A page for each error code; a code without one does not compile. */
export const errorCodePages: Record<ErrorCode, ErrorCodePage> = {
  malformed_json: {
    happened: 'The request had a body, and the body was no JSON. The server read nothing of it.',
    todo: 'The client never sends this. Look for a proxy that changes bodies, or for code that calls the API without the client and forgets `JSON.stringify`.',
  },
  invalid_credential: {
    happened:
      'The token is missing, unknown or revoked, or came under another scheme than `Bearer`. Nothing else was looked at.',
    todo: 'Check that `WORKTRACK_TOKEN` (or the `token` option) holds the token of this very deployment, without quotes or spaces. If tokens of yours expire, pass a function as `token`: it is asked before each attempt.',
  },
  wrong_organization: {
    happened:
      'The credential belongs to one organization, and the request addressed another: by its path, or by a record that lives there.',
    todo: 'Check `WORKTRACK_ORGANIZATION` (or the `organization` option) and where the id came from. Work in two organizations needs two credentials.',
  },
  missing_scope: {
    happened: 'The credential is good, but does not carry the scope that this operation needs.',
    todo: 'The message names the scope. Ask for a credential that has it; the [table of scopes](/reference/scopes) says what else it opens.',
  },
  not_found: {
    happened:
      'There is no such record: it never existed, it was deleted, or what it belongs to was deleted (a ticket goes with its board or project). Or the path is no path of the API.',
    todo: 'If the id was stored, treat it as deleted. If it is new, look for an id of one kind in the place of another: a board where a ticket is wanted.',
  },
  method_not_allowed: {
    happened: 'The path exists, but not with this method. The `Allow` header lists those that it takes.',
    todo: 'The client never sends this; check a call made by hand against the [endpoints](/reference/endpoints).',
  },
  payload_too_large: {
    happened: 'The body is larger than the server reads at all.',
    todo: 'Send less: the largest field, a document’s `content_html`, takes a million characters. Link to images instead of embedding them.',
  },
  validation_failed: {
    happened:
      'A field is missing, has the wrong type, or is beyond a limit. The client finds all of this before it sends anything and throws an `InvalidRequestError`; from the server it means that the two disagree, or that no client was used.',
    todo: 'Read `fieldErrors`: every field with everything that is wrong with it. The [limits](/reference/limits) are on one page.',
  },
  invalid_relation: {
    happened:
      'An id names something that cannot be related: an assignee who cannot see the project, a label of another project, an editor outside the organization, a project that is deleted.',
    todo: '`fieldErrors` says which field. Take assignees from `projects.members.list`, labels from `projects.labels.list`.',
  },
  invalid_board: {
    happened: 'The board is not a live board of this project: deleted, of another project, or never there.',
    todo: 'Read the boards again (`boards.list`) and choose from them. Somebody may have deleted the one you knew.',
  },
  wip_limit_reached: {
    happened:
      'The board has a limit on work in progress, and as many live tickets already. A ticket that is created on it, moved to it, or comes from a board being deleted would be one too many. Nothing was changed.',
    todo: 'It is a rule of the team, not a fault: say so to the person who tried. Finish or move a ticket, choose another board, or raise `wip_limit` with `boards.update`. Moves within the board are always allowed.',
  },
  invalid_board_list: {
    happened:
      'The new order must name every live board of the project, each once. One is missing, doubled, deleted or of another project.',
    todo: 'Read the boards again, apply your change to that list, and send the whole of it.',
  },
  invalid_ticket_list: {
    happened:
      'The new order must name every live ticket of the board, each once. One is missing, doubled, deleted or on another board.',
    todo: 'Read the board’s tickets again, apply your change to that list, and send the whole of it. To move a single ticket use `tickets.move` with a `position`: it cannot fail this way.',
  },
  target_board_required: {
    happened: 'The board still has tickets, and the request did not say where they go.',
    todo: 'Pass `move_to_board_id`, or delete or move the tickets first.',
  },
  invalid_target_board: {
    happened: '`move_to_board_id` names no other live board of the same project.',
    todo: 'Choose one from `boards.list`; the board that is being deleted does not count.',
  },
  invalid_recipient: {
    happened: 'A user in `user_ids` does not belong to the credential’s organization. Nobody was notified.',
    todo: '`fieldErrors` says which entry (`user_ids.2`). Take recipients from `projects.members.list`.',
  },
  invalid_url: {
    happened:
      'A notification’s `url` must be an internal path: `/app` or something below it, as a browser would read it. Other hosts, `//host`, and `/app/../elsewhere` are refused.',
    todo: 'Send a path such as `/app/projects/apollo`, or leave `url` out.',
  },
  rate_limited: {
    happened: 'Too many requests in a short time. Nothing was done.',
    todo: 'The client has waited as long as `Retry-After` asked and tried again, also for creates, until its retries or its deadline ended. Send less at a time, or give the call a longer `deadline`; see [rate limits](/guide/rate-limits).',
  },
};
