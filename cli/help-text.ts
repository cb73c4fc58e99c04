/** The section of `--help` about environment variables, which several commands share. */

export const environmentHelp = `Environment variables:
  WORKTRACK_BASE_URL       URL of the deployment, such as https://work.example.com
  WORKTRACK_ORGANIZATION   ID of the organization that the credential belongs to
  WORKTRACK_TOKEN          the credential's token; without it, the CLI prompts for the token
                           (there is no --token option, because other users could read it)`;

export const exitCodesHelp = `Exit codes:
  0  success
  1  no response, or an unexpected one
  2  invalid command line or input; nothing was sent
  3  rejected credential, or missing scope (401, 403)
  4  not found (404)
  5  rejected by a limit or a rule of the API (422)
  6  too many requests, or a server error (429, 5xx)`;
