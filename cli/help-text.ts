/** The "Environment variables" help section shared by several commands. */

export const environmentHelp = `Environment variables:
  WORKTRACK_BASE_URL       deployment URL, such as https://work.example.com
  WORKTRACK_ORGANIZATION   ID of the credential's organization
  WORKTRACK_DEFAULT_BOARD  "true" if the deployment has a default board for tickets without a board
  WORKTRACK_TOKEN          credential token; if it isn't set, the CLI prompts for it
                           (there is no --token option because other users could see the token)`;

export const exitCodesHelp = `Exit codes:
  0  success
  1  no response or an unexpected response
  2  invalid command or input; nothing was changed
  3  invalid credential or missing scope (401, 403)
  4  not found (404), or no record has the name
  5  the API rejected the input, for example because a board is full (422)
  6  rate limit or server error (429, 5xx)`;
