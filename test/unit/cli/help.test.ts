import { expect, test } from 'vitest';
import { runWords } from './support/run.js';

async function helpOf(...words: string[]): Promise<string> {
  const { code, output, errors } = await runWords([...words, '--help']);
  expect([code, errors]).toEqual([0, '']);
  return output;
}

/** Returns the help of an operation without the sections that are the same for all operations. */
async function operationHelp(...words: string[]): Promise<string | undefined> {
  return (await helpOf(...words)).split('\n\nEnvironment variables:')[0];
}

test('worktrack --help lists the commands, examples, environment variables, and exit codes', async () => {
  expect(await helpOf()).toMatchInlineSnapshot(`
    "Usage: worktrack <command> [options]

    Call the Work-Tracking API, or run a local mock server for tests.

    Options:
      -v, --version  Print the version
      -h, --help     Show help

    API operations:
      organization   Read the organization
      projects       Manage projects and read their members, labels, tags, and analytics
      boards         Manage a project's boards
      tickets        Create, update, move, reorder, and comment on tickets
      documents      Manage and comment on documents
      notifications  Send notifications to users

    Tools:
      mock           Start a local mock server
      import         Import tickets from a CSV or NDJSON file without duplicates
      conformance    Check a deployment against the API specification
      mcp            Start an MCP server for AI agents
      completion     Print a shell completion script for bash, zsh, or fish
      help           Show help for a command

    Examples:
      worktrack mock                                        start a local mock server
      worktrack projects list                               list projects
      worktrack tickets list prj_1 --q launch --json        print matching tickets as JSON
      worktrack tickets move tkt_1 --board_id brd_2         move a ticket to another board
      worktrack help tickets move                           show an operation's scope, options, and errors

    Environment variables:
      WORKTRACK_BASE_URL       deployment URL, such as https://work.example.com
      WORKTRACK_ORGANIZATION   ID of the credential's organization
      WORKTRACK_TOKEN          credential token; if it isn't set, the CLI prompts for it
                               (there is no --token option because other users could see the token)

    Exit codes:
      0  success
      1  no response or an unexpected response
      2  invalid command or input; nothing was sent
      3  invalid credential or missing scope (401, 403)
      4  not found (404)
      5  API limit exceeded or rule violated (422)
      6  rate limit or server error (429, 5xx)"
  `);
});

test('worktrack tickets --help lists its operations with their arguments', async () => {
  expect(await helpOf('tickets')).toMatchInlineSnapshot(`
    "Usage: worktrack tickets <operation> [options]

    Options:
      -h, --help                Show help

    Operations:
      list <project>            List a project's tickets, ordered by board and position
      create <project>          Create a ticket at the end of a board
      reorder <project>         Reorder a board's tickets
      get <ticket>              Get a ticket
      update <ticket>           Update a ticket
      delete <ticket>           Delete a ticket (soft delete)
      move <ticket>             Move a ticket to a position on a board
      comments create <ticket>  Comment on a ticket

    Run "worktrack tickets <operation> --help" to see an operation's options and errors."
  `);
});

test('worktrack organization --help lists an operation without arguments', async () => {
  expect(await helpOf('organization')).toMatchInlineSnapshot(`
    "Usage: worktrack organization <operation> [options]

    Options:
      -h, --help  Show help

    Operations:
      get         Get the organization

    Run "worktrack organization <operation> --help" to see an operation's options and errors."
  `);
});

test('worktrack tickets comments --help lists the operations without the word "comments"', async () => {
  expect(await helpOf('tickets', 'comments')).toMatchInlineSnapshot(`
    "Usage: worktrack tickets comments <operation> [options]

    Options:
      -h, --help       Show help

    Operations:
      create <ticket>  Comment on a ticket"
  `);
});

test('worktrack boards update --help shows its fields, scope, error codes, example, environment variables, and exit codes', async () => {
  expect(await helpOf('boards', 'update')).toMatchInlineSnapshot(`
    "Usage: worktrack boards update [options] <board>

    Update a board.

    Arguments:
      board                  ID of the board

    Fields:
      --name <string>        At most 120 characters
      --color <string>       At most 32 characters; null removes the color
      --wip_limit <integer>  A positive integer; null removes the limit
      --is_done              Whether tickets on the board are considered done
      --no-is_done           Set is_done to false
      --is_hidden            Whether the board is hidden. Hiding a board doesn't affect lists, limits,
                             or moves
      --no-is_hidden         Set is_hidden to false
      --null <field>         Set this field to null (repeatable) (choices: "color", "wip_limit")
      --data <json>          Fields as a JSON object, or "-" to read the object from standard input

    Options:
      --json                 Print JSON instead of a table (default if the output is piped)
      --base-url <url>       Deployment URL (env: WORKTRACK_BASE_URL)
      --organization <id>    Organization ID (env: WORKTRACK_ORGANIZATION)
      --allow-plain-http     Allow plain HTTP to hosts other than loopback and .test
      -h, --help             Show help

    Required scope: boards:write
    Error codes (422): validation_failed

    Example:
      worktrack boards update brd_doing --color '#0f766e' --wip_limit 3

    Environment variables:
      WORKTRACK_BASE_URL       deployment URL, such as https://work.example.com
      WORKTRACK_ORGANIZATION   ID of the credential's organization
      WORKTRACK_TOKEN          credential token; if it isn't set, the CLI prompts for it
                               (there is no --token option because other users could see the token)

    Exit codes:
      0  success
      1  no response or an unexpected response
      2  invalid command or input; nothing was sent
      3  invalid credential or missing scope (401, 403)
      4  not found (404)
      5  API limit exceeded or rule violated (422)
      6  rate limit or server error (429, 5xx)"
  `);
});

test('worktrack tickets create --help marks required and repeatable fields and lists allowed values', async () => {
  expect(await operationHelp('tickets', 'create')).toMatchInlineSnapshot(`
    "Usage: worktrack tickets create [options] <project>

    Create a ticket at the end of a board.

    Arguments:
      project                      ID of the project

    Fields:
      --board_id <string>          The ID of a live board in the project
      --board_slug <string>        The slug of a live board in the project
      --title <string>             At most 500 characters (required)
      --description_html <string>  At most 200,000 characters
      --priority <string>          New tickets default to normal (choices: "lowest", "low", "normal",
                                   "high", "highest", "critical")
      --due_at <string>            An RFC 3339 date-time with any offset
      --assignee_ids <string>      The IDs of users who can see the project. An update replaces the
                                   entire list (repeatable)
      --label_ids <string>         The IDs of project labels. An update replaces the entire list
                                   (repeatable)
      --null <field>               Set this field to null (repeatable) (choices: "description_html",
                                   "due_at")
      --data <json>                Fields as a JSON object, or "-" to read the object from standard
                                   input

    Options:
      --json                       Print JSON instead of a table (default if the output is piped)
      --base-url <url>             Deployment URL (env: WORKTRACK_BASE_URL)
      --organization <id>          Organization ID (env: WORKTRACK_ORGANIZATION)
      --allow-plain-http           Allow plain HTTP to hosts other than loopback and .test
      -h, --help                   Show help

    Required scope: tickets:write
    Error codes (422): validation_failed, invalid_relation, invalid_board, wip_limit_reached

    Example:
      worktrack tickets create prj_apollo --board_id brd_todo --title Splashdown --priority high --due_at 2026-02-01T12:00:00+01:00 --assignee_ids usr_grace --label_ids lbl_crew"
  `);
});

test('worktrack documents list --help shows filters and --all, but not --data or --null', async () => {
  expect(await operationHelp('documents', 'list')).toMatchInlineSnapshot(`
    "Usage: worktrack documents list [options]

    List the organization's documents, oldest first.

    Fields:
      --project_id <string>  Returns only documents in this project
      --status <string>      Returns only documents with this status (choices: "draft", "published")
      --q <string>           Returns only documents whose title, caption, or content contains this text,
                             ignoring case
      --tags <string>        Returns only documents with all of these tags. Pass a comma-separated
                             string
      --per_page <integer>   The number of documents per page, from 1 to 200. The default is 50
      --page <integer>       The page number. The default is 1

    Options:
      --all                  Print all pages instead of just one
      --json                 Print JSON instead of a table (default if the output is piped)
      --base-url <url>       Deployment URL (env: WORKTRACK_BASE_URL)
      --organization <id>    Organization ID (env: WORKTRACK_ORGANIZATION)
      --allow-plain-http     Allow plain HTTP to hosts other than loopback and .test
      -h, --help             Show help

    Required scope: documents:read
    Error codes (422): validation_failed

    Example:
      worktrack documents list --status published --tags launch,ops"
  `);
});

test('worktrack documents update --help explains the default status and how to unset fields', async () => {
  expect(await operationHelp('documents', 'update')).toMatchInlineSnapshot(`
    "Usage: worktrack documents update [options] <document>

    Update, publish, or archive a document.

    Arguments:
      document                 ID of the document

    Fields:
      --title <string>         At most 500 characters
      --project_id <string>    The ID of a live project in the organization, or null for no project
      --caption <string>       At most 2,000 characters
      --content_html <string>  At most 1,000,000 characters
      --status <string>        New documents default to draft (choices: "draft", "published")
      --editor_ids <string>    The IDs of up to 100 users in the organization. An update replaces the
                               entire list (repeatable)
      --tag_names <string>     Up to 20 tag names of at most 50 characters each. An update replaces the
                               entire list (repeatable)
      --archived               Whether the document is archived. Archived documents still appear in
                               lists
      --no-archived            Set archived to false
      --null <field>           Set this field to null (repeatable) (choices: "project_id", "caption",
                               "content_html")
      --data <json>            Fields as a JSON object, or "-" to read the object from standard input

    Options:
      --json                   Print JSON instead of a table (default if the output is piped)
      --base-url <url>         Deployment URL (env: WORKTRACK_BASE_URL)
      --organization <id>      Organization ID (env: WORKTRACK_ORGANIZATION)
      --allow-plain-http       Allow plain HTTP to hosts other than loopback and .test
      -h, --help               Show help

    Required scope: documents:write
    Error codes (422): validation_failed, invalid_relation

    Example:
      worktrack documents update doc_runbook --status published"
  `);
});

test('worktrack projects delete --help shows no fields or error codes', async () => {
  expect(await operationHelp('projects', 'delete')).toMatchInlineSnapshot(`
    "Usage: worktrack projects delete [options] <project>

    Delete a project, its boards, and its tickets (soft delete).

    Arguments:
      project              ID of the project

    Options:
      --json               Print JSON instead of a table (default if the output is piped)
      --base-url <url>     Deployment URL (env: WORKTRACK_BASE_URL)
      --organization <id>  Organization ID (env: WORKTRACK_ORGANIZATION)
      --allow-plain-http   Allow plain HTTP to hosts other than loopback and .test
      -h, --help           Show help

    Required scope: projects:write

    Example:
      worktrack projects delete prj_apollo"
  `);
});

test('worktrack completion --help explains how to enable completion in each shell', async () => {
  expect(await helpOf('completion')).toMatchInlineSnapshot(`
    "Usage: worktrack completion [options] <shell>

    Print a script that completes commands, options, and values in your shell.

    Arguments:
      shell       Shell to generate the script for (choices: "bash", "zsh", "fish")

    Options:
      -h, --help  Show help

    Add the line for your shell to its startup file:
      eval "$(worktrack completion bash)"     in .bashrc
      eval "$(worktrack completion zsh)"      in .zshrc, after compinit
      worktrack completion fish | source      in config.fish"
  `);
});

test('worktrack mock --help shows its options, examples, and exit codes', async () => {
  expect(await helpOf('mock')).toMatchInlineSnapshot(`
    "Usage: worktrack mock [options]

    Start an in-memory mock server that enforces every API rule.

    Options:
      --port <number>         Port to listen on; 0 picks a free port (default: 4010, or a free port with
                              --exec)
      --host <address>        Host to listen on; use 0.0.0.0 for all network interfaces (default:
                              "127.0.0.1")
      --public-url <url>      Public URL of the server, if it runs behind a proxy
      --seed <file>           JSON file with seed data
      --watch                 Reload the seed file when it changes
      --persist <file>        Save the data to this file and load it on startup if the file exists
      --exec <command>        Run this command against the server, then exit with the command's exit
                              code
      --latency <ms>          Delay responses by a number or range of milliseconds, such as 100 or
                              50-200
      --rate-limit [number]   Limit requests per minute for each credential (default: no limit) (preset:
                              "120")
      --now <date-time>       Freeze the server's clock at this time
      --random-seed <string>  Seed for generated IDs; the same seed produces the same IDs
      --body-limit <bytes>    Maximum size of a request body (default: 10000000)
      --open                  Open the console in your browser
      -h, --help              Show help

    When the server is ready, it prints its URL, a token, an organization ID, and the console URL. Press Ctrl+C
    to stop it.

    Examples:
      worktrack mock                                   start with an empty organization on port 4010
      worktrack mock --open                            also open the console in your browser
      worktrack mock --seed seed.json --watch          load your own data and reload it on every save
      worktrack mock --seed seed.json --exec "pytest"  run a test suite against the server
      worktrack mock --rate-limit 5 --latency 50-200   test rate limits and slow responses

    --exec sets WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and WORKTRACK_ORGANIZATION for the command.

    If other machines can reach the server, its admin routes require a token. Set WORKTRACK_ADMIN_TOKEN, or use
    the random token the server prints.

    Exit codes:
      0  stopped by a signal
      1  the server couldn't start, for example because the port is in use
      2  invalid command line
      With --exec, the CLI exits with the command's exit code."
  `);
});

test('worktrack import --help shows its options, ticket fields, examples, and exit codes', async () => {
  expect(await helpOf('import')).toMatchInlineSnapshot(`
    "Usage: worktrack import [options] <file>

    Import tickets from a CSV or NDJSON file without duplicates. Each row becomes a ticket.

    A ledger file records the progress, so you can stop the import at any time and resume it later.

    Arguments:
      file                     CSV or NDJSON file to import

    Options:
      --project <id>           Project ID (required)
      --map <field=column>     Map a ticket field to a column (repeatable)
      --key <column>           Column that uniquely identifies a row (default: the row number)
      --format <format>        File format (default: from the file extension) (choices: "csv", "ndjson")
      --delimiter <character>  Character between CSV values, or "tab" (default: ",")
      --encoding <name>        Text encoding, such as windows-1252 (default: UTF-8 or UTF-16)
      --dry-run                Validate every row without creating tickets
      --ledger <file>          Ledger file (default: <file>.<project>.ledger)
      --resume                 Resume the import recorded in the ledger
      --concurrency <number>   Number of rows to import concurrently; 1 preserves the row order
                               (default: 8)
      --rate <number>          Maximum requests per minute (default: no limit)
      --base-url <url>         Deployment URL (env: WORKTRACK_BASE_URL)
      --organization <id>      Organization ID (env: WORKTRACK_ORGANIZATION)
      --allow-plain-http       Allow plain HTTP to hosts other than loopback and .test
      -h, --help               Show help

    Fields: title, board_slug, board_id, description_html, priority, due_at, assignee_ids, label_ids.
    Columns named after a field don't need --map. Use IDs or names for boards, labels, and assignees. You can also
    use slugs for boards and email addresses for assignees. In CSV, separate multiple values with commas.

    Examples:
      worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --dry-run
      worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --key Key --rate 600
      worktrack import tickets.csv --project prj_1 --map title=Summary --map board_slug=Status --key Key --resume

    Failed and in-doubt rows are written to <file>.failed.ndjson, along with the reason. To retry them, run the
    command again with --resume. A row is in doubt if its response was lost. Before retrying such a row, the
    import checks whether its ticket was already created. A dry run writes the invalid rows to
    <file>.dry-run.ndjson.

    Environment variables:
      WORKTRACK_BASE_URL       deployment URL, such as https://work.example.com
      WORKTRACK_ORGANIZATION   ID of the credential's organization
      WORKTRACK_TOKEN          credential token; if it isn't set, the CLI prompts for it
                               (there is no --token option because other users could see the token)

    Exit codes:
      0    every row was imported or passed the dry run
      1    rows failed or are in doubt, or the import stopped
      2    invalid command line or file
      130  stopped with Ctrl+C
      143  stopped by SIGTERM"
  `);
});

test('worktrack conformance --help shows its options, examples, and exit codes', async () => {
  expect(await helpOf('conformance')).toMatchInlineSnapshot(`
    "Usage: worktrack conformance [options]

    Check a deployment against the API specification.

    The run creates projects and documents named "Conformance" and deletes them afterward. It never
    notifies anyone.

    Options:
      --base-url <url>           Deployment URL (env: WORKTRACK_BASE_URL)
      --organization <id>        Organization ID (env: WORKTRACK_ORGANIZATION)
      --allow-plain-http         Allow plain HTTP to hosts other than loopback and .test
      --choices                  Also check behavior that the specification leaves open
      --operation <id>           Check only this operation (repeatable)
      --format <format>          Report format (choices: "text", "junit", "json", default: "text")
      --limited-scopes <scopes>  Comma-separated scopes of the second credential
      --max-requests <number>    Maximum number of requests; cleanup isn't limited (default: 1000)
      --output <file>            Write the report to a file and print only the summary
      -h, --help                 Show help

    Rules marked [choice] cover behavior that the specification leaves open. Other deployments may behave
    differently.

    A rule is "not checkable" if, for example, the credential lacks a scope, a response lacks a field, or the
    deployment keeps responding with 429.

    Examples:
      worktrack conformance --base-url https://work.example.com --organization org_1
      worktrack conformance --operation tickets.move --operation boards.delete
      worktrack conformance --format junit --output conformance.xml

    Environment variables:
      WORKTRACK_BASE_URL       deployment URL, such as https://work.example.com
      WORKTRACK_ORGANIZATION   ID of the credential's organization
      WORKTRACK_TOKEN          credential token; if it isn't set, the CLI prompts for it
                               (there is no --token option because other users could see the token)
      WORKTRACK_LIMITED_TOKEN  token of a second credential with fewer scopes, used to check the scope rules (403)

    Exit codes:
      0  no rules failed
      1  a rule failed, a record couldn't be deleted, the run was stopped, or the deployment is unreachable
      2  invalid command line; nothing was sent"
  `);
});

test('worktrack mcp --help shows its options, examples, and exit codes', async () => {
  expect(await helpOf('mcp')).toMatchInlineSnapshot(`
    "Usage: worktrack mcp [options]

    Start an MCP server for AI agents on standard input and output.

    Options:
      --write              Also offer tools that change data (default: read-only tools)
      --scopes <list>      Offer only tools covered by these scopes, such as tickets:read,tickets:write
      --tools <list>       Offer only these tools, such as tickets_list,tickets_get or tickets_*
      --allow-destructive  Allow deletions and notifications even if the MCP client can't ask the user
                           for confirmation
      --mock               Use an in-memory mock server and add tools to seed it, reset it, and inject
                           faults
      --seed <file>        JSON file with seed data for the mock server (default: a sample team)
      --base-url <url>     Deployment URL (env: WORKTRACK_BASE_URL)
      --organization <id>  Organization ID (env: WORKTRACK_ORGANIZATION)
      --allow-plain-http   Allow plain HTTP to hosts other than loopback and .test
      -h, --help           Show help

    Configure your MCP client to run this command with WORKTRACK_BASE_URL, WORKTRACK_TOKEN, and
    WORKTRACK_ORGANIZATION set in the environment. There is no --token option because other users could see the
    token.

    Examples:
      worktrack mcp                                    read-only tools for the deployment
      worktrack mcp --write --tools tickets_*          tools that read and change tickets
      worktrack mcp --mock --write                     a sample team in memory, for developing agents

    Exit codes:
      0  the client closed the connection
      2  invalid command line or missing configuration"
  `);
});
