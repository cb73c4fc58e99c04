/** The HTTP status for each error code a response can contain. */
export const errorCodes = {
  malformed_json: 400,
  invalid_credential: 401,
  wrong_organization: 403,
  missing_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  validation_failed: 422,
  invalid_relation: 422,
  invalid_board: 422,
  wip_limit_reached: 422,
  invalid_board_list: 422,
  invalid_ticket_list: 422,
  target_board_required: 422,
  invalid_target_board: 422,
  invalid_recipient: 422,
  invalid_url: 422,
  rate_limited: 429,
} as const;

/** The machine-readable reason for an error response, for example `wip_limit_reached`. */
export type ErrorCode = keyof typeof errorCodes;

/** The error codes for validation failures and rule violations (422). */
export type RuleErrorCode = {
  [Code in ErrorCode]: (typeof errorCodes)[Code] extends 422 ? Code : never;
}[ErrorCode];
