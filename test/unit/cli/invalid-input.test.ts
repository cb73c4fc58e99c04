import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { rejected, runWords, wordsOf } from './support/run.js';

/**
 * Arguments that each command rejects, sometimes after environment variables, and the error. FILE is a CSV file
 * in the folder FOLDER.
 */
const rejections: Readonly<Record<string, string>> = {
  tickets: `
    --words → unknown option "--words"; see "worktrack tickets --help"`,
  mock: `
    --prot 1 → unknown option "--prot"; did you mean "--port"?
    extra → too many arguments (expected 0, got 1)
    --port → missing value: --port <number>
    --exec '' → missing value: --exec <command>
    --token=wt_secret → there is no --token option because other users could see the token; set WORKTRACK_TOKEN or enter it when prompted
    --port x → invalid value "x" for --port. Expected a non-negative integer
    --port 65536 → invalid value "65536" for --port. Expected a port from 0 to 65535
    --latency x50 → invalid value "x50" for --latency. Expected a number or range of milliseconds, such as 100 or 50-200
    --latency 50-x → invalid value "50-x" for --latency. Expected a number or range of milliseconds, such as 100 or 50-200
    --latency 200-50 → invalid value "200-50" for --latency. Expected the minimum first, such as 50-200
    --latency 2147483648 → invalid value "2147483648" for --latency. Expected at most 2147483647 milliseconds
    --public-url x.example → invalid value "x.example" for --public-url. Expected an http or https URL, such as https://mock.example.com
    --now noon → invalid value "noon" for --now. Expected a date-time with an offset, such as 2026-01-01T09:00:00Z
    --watch → --watch requires --seed
    --seed FOLDER/none.json → --seed: could not read FOLDER/none.json: no such file or folder`,
  'projects get': `
    a b → too many arguments (expected 1, got 2)
    → missing argument <project>
    WORKTRACK_BASE_URL=nonsense p → WORKTRACK_BASE_URL must be an absolute URL, such as https://work.example.com
    WORKTRACK_BASE_URL=https://work.example.com p → missing token; set WORKTRACK_TOKEN`,
  pull: `
    -o '' → missing value: --output <file>
    -o x.json --project APO --project '' → missing value: --project <key>
    → missing option --output <file>
    -o FOLDER/world.json --keep title → invalid value "title" for --keep. Unknown kind "title"; did you mean "titles"?
    -o FOLDER/world.json --sample 0 → invalid value "0" for --sample. Expected a positive integer
    -o FOLDER/none/world.json → --output: could not write FOLDER/none/world.json: no such file or folder
    -o FOLDER → --output: could not write FOLDER: it's a folder
    WORKTRACK_PULL_KEY=short -o FOLDER/world.json → WORKTRACK_PULL_KEY: the key must have at least 16 characters (got 5)`,
  conformance: `
    --har x.har --settings x.json → --har cannot be combined with --settings
    --har x.har --max-requests 5 → --har cannot be combined with --max-requests
    --har FOLDER/none.har → --har: could not read FOLDER/none.har: no such file or folder
    --compare → --compare requires --settings <file>
    --settings FOLDER --base-url https://a.example --organization o → --settings: could not write FOLDER: it's a folder
    --settings FOLDER/none.json --compare → --settings: could not read FOLDER/none.json: no such file or folder
    --settings x.json --operation tickets.get → --settings cannot be combined with --operation
    --token=wt_secret → there is no --token option because other users could see the token; set WORKTRACK_TOKEN or enter it when prompted
    → missing base URL; pass --base-url or set WORKTRACK_BASE_URL
    --organization org_1 --base-url x → --base-url must be an absolute URL, such as https://work.example.com
    WORKTRACK_BASE_URL=x --organization org_1 → WORKTRACK_BASE_URL must be an absolute URL, such as https://work.example.com
    --organization org_1 --base-url http://work.example.com → --base-url: plain http exposes the token; use https, or pass --allow-plain-http
    WORKTRACK_TOKEN=wt_secret --organization org_1 --base-url http://127.0.0.1:9 --output FOLDER/none/report.xml → --output: could not write FOLDER/none/report.xml: no such file or folder
    --base-url http://127.0.0.1:9 → missing organization; pass --organization or set WORKTRACK_ORGANIZATION
    --organization org_1 --base-url http://127.0.0.1:9 → missing token; set WORKTRACK_TOKEN
    --limited-scopes 'projects:read, boards:read' → --limited-scopes requires WORKTRACK_LIMITED_TOKEN
    --limited-scopes projects:read,projects:raed → invalid value "projects:read,projects:raed" for --limited-scopes. Unknown scope "projects:raed"; did you mean "projects:read"?
    --operation tickets.mvoe → invalid value "tickets.mvoe" for --operation. Unknown operation "tickets.mvoe"; did you mean "tickets.move"?
    --max-requests 0 → invalid value "0" for --max-requests. Expected a positive integer
    --format toString → invalid value "toString" for --format. Allowed choices are text, junit, json`,
  'projects list': `
    --token=wt_secret → there is no --token option because other users could see the token; set WORKTRACK_TOKEN or enter it when prompted`,
  mcp: `
    --mock --token wt_secret → there is no --token option because other users could see the token; set WORKTRACK_TOKEN or enter it when prompted
    WORKTRACK_TOKEN=wt_secret --mock → --mock cannot be combined with a credential; unset WORKTRACK_TOKEN or omit --mock
    --mock --base-url https://work.example.com → --mock cannot be combined with --base-url, --organization, or --allow-plain-http
    --mock --organization org_1 → --mock cannot be combined with --base-url, --organization, or --allow-plain-http
    --mock --allow-plain-http → --mock cannot be combined with --base-url, --organization, or --allow-plain-http
    WORKTRACK_TOKEN=wt_secret --base-url http://work.example.com → --base-url: plain http exposes the token; use https, or pass --allow-plain-http
    --mock --tools 'tickets_list, tickets_gte' → tools: unknown tool "tickets_gte"; did you mean "tickets_get"?
    --mock --scopes 'tickets:read, tickets:wriet' → scopes: unknown scope "tickets:wriet"; did you mean "tickets:write"?
    --mock --http 0 → --http requires MCP_TOKEN, a token of at least 32 characters; create one with "openssl rand -hex 32"
    --mock --http x → invalid value "x" for --http. Expected a non-negative integer
    --mock --http 65536 → invalid value "65536" for --http. Expected a port from 0 to 65535
    --mock --allow-destructive → --allow-destructive requires --write
    WORKTRACK_TOKEN=wt_secret --mock-tools → --mock-tools requires --mock
    WORKTRACK_TOKEN=wt_secret --seed world.json → --seed requires --mock
    --mock --seed FOLDER/none.json → --seed: could not read FOLDER/none.json: no such file or folder
    → missing token; set WORKTRACK_TOKEN, or pass --mock to run without an account
    WORKTRACK_TOKEN=wt_secret WORKTRACK_BASE_URL=nonsense  → WORKTRACK_BASE_URL must be an absolute URL, such as https://work.example.com`,
  completion: `
    constructor → invalid value "constructor" for <shell>. Allowed choices are bash, zsh, fish`,
  'tickets list': `
    APO --fields titel → invalid value "titel" for --fields. Unknown field "titel"; did you mean "title"?
    APO --tsv → --tsv requires --fields
    APO --tsv --json --fields id → --tsv cannot be combined with --json
    APO --ndjson --json → --ndjson cannot be combined with --json
    APO --all --page 2 → --all cannot be combined with --page
    APO --no-done --page 2 → --no-done cannot be combined with --page`,
  'tickets create': `
    APO --title X --board done --board_slug done → --board cannot be combined with --board_slug`,
  'tickets move': `
    APO-1 --board done --board-slug done → --board cannot be combined with --board_slug`,
  'tickets update': `
    APO-1 --label bug --label_ids x → --label cannot be combined with --label_ids
    APO-1 → nothing to update; pass at least one field
    APO-1 --data {} → nothing to update; pass at least one field
    APO-1 --due_at today --null due-at → --due_at cannot be combined with --null due_at
    APO-1 --due_at '' → invalid value "" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at 2026-02-30 → invalid value "2026-02-30" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at 2026-13-01 → invalid value "2026-13-01" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at 2026-12-01T24:00 → invalid value "2026-12-01T24:00" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at 2026-12-01T10:60 → invalid value "2026-12-01T10:60" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at 2026-12-01T10:00:60 → invalid value "2026-12-01T10:00:60" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at 1/12/2026 → invalid value "1/12/2026" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at +3 → invalid value "+3" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at 3d → invalid value "3d" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d
    APO-1 --due_at soon → invalid value "soon" for --due_at. Expected a date such as 2026-12-01, 2026-12-01T17:00, tomorrow, or +3d`,
  'documents update': `
    d --project APO --null project_id → --project cannot be combined with --null project_id`,
  'boards create': `
    p --null name → invalid value "name" for --null. Allowed choices are color, wip_limit
    p --wip_limit many → invalid value "many" for --wip_limit. Expected an integer
    p --wip_limit 3x → invalid value "3x" for --wip_limit. Expected an integer
    p --wip_limit x3 → invalid value "x3" for --wip_limit. Expected an integer
    p --wip_limit 1.5 → invalid value "1.5" for --wip_limit. Expected an integer
    p --wip_limit 9007199254740992 → invalid value "9007199254740992" for --wip_limit. Expected an integer`,
  'projects create': `
    --data [1] → --data must be a JSON object, or "-" to read the object from standard input
    --data null → --data must be a JSON object, or "-" to read the object from standard input
    --data '"text"' → --data must be a JSON object, or "-" to read the object from standard input
    --data { → --data must be a JSON object, or "-" to read the object from standard input`,
  import: `
    FILE --project APO --key Key → missing option --source <name>
    FILE --project APO --source Jira → missing option --key <column>
    FILE --project APO --source Jira --map titel=Summary --key Key → invalid value "titel=Summary" for --map. Unknown field "titel"; did you mean "title"?
    FILE --project APO --source Jira --map title=Sumary --map board_slug=Status --key Key → --map title: the file has no column "Sumary"; did you mean "Summary"?
    FILE --project APO --source Jira --map title --key Key → invalid value "title" for --map. Expected field=column, such as title=Summary
    FILE --project APO --source Jira --map title=Key --map title=Summary --key Key → invalid value "title=Summary" for --map. Field "title" is mapped twice
    FILE --project APO --source Jira --map board_slug=Status --key Key → no column for the title; pass --map title=<column>
    FILE --project APO --source Jira --map title=Summary --key Key → no column for the board; pass --map board_slug=<column>
    FILE --project APO --source Jira --map title=Summary --map board_slug=Status --key Id → --key: the file has no column "Id"; expected one of: Key, Summary, Status
    FILE --project APO --source Jira --delimiter ;; --key Key → invalid value ";;" for --delimiter. Expected one character or "tab"
    FILE --project APO --source Jira --delimiter '' --key Key → invalid value "" for --delimiter. Expected one character or "tab"
    FILE --project APO --source Jira --delimiter '"' --key Key → invalid value """ for --delimiter. Expected one character or "tab"
    FILE --project APO --source Jira --format ndjson --delimiter ; --key Key → --delimiter applies only to CSV files
    FILE --project APO --source Jira --rate 0 --key Key → invalid value "0" for --rate. Expected a positive integer
    FILE --project APO --source Jira --concurrency 0 --key Key → invalid value "0" for --concurrency. Expected a positive integer
    FILE --project APO --source Jira --dry-run --concurrency 2 --key Key → --dry-run cannot be combined with --concurrency
    FILE --project APO --source Jira --key Key --dry-run --book x.book → --dry-run cannot be combined with --book`,
  sync: `
    FILE --project APO --source Jira → missing option --key <column>
    FILE --project APO --source Jira --key Key → can't ask for confirmation without a terminal; pass --yes or --plan
    FILE --project APO --source Jira --key Key --plan --yes → --plan cannot be combined with --yes
    FILE --project APO --source Jira --key Key --yes --max-removals -1 → invalid value "-1" for --max-removals. Expected a non-negative integer
    FILE --project APO --source Jira --key Key --yes --map titel=title → invalid value "titel=title" for --map. Unknown field "titel"; did you mean "title"?`,
  watch: `
    --once → --once requires --book <file>, which stores what earlier runs delivered
    --include ticket,bord → invalid value "ticket,bord" for --include. Unknown kind "bord"; did you mean "board"?
    --every x5 → invalid value "x5" for --every. Expected a positive number of seconds
    --every 0 → invalid value "0" for --every. Expected a positive number of seconds
    --secret secret.txt → --secret requires --post <url>
    --post https://a.example → --post requires a secret; pass --secret <file> or set WORKTRACK_WEBHOOK_SECRET
    WORKTRACK_WEBHOOK_SECRET=YWJjZGVmZ2hpamtsbW5vcA== --post http://a.example → --post: use https, or pass --allow-plain-http to send changes over plain HTTP
    WORKTRACK_WEBHOOK_SECRET=YWJjZGVmZ2hpamtsbW5vcA== --post http://a.example --allow-plain-http → missing base URL; pass --base-url or set WORKTRACK_BASE_URL
    WORKTRACK_WEBHOOK_SECRET=YWJjZGVmZ2hpamtsbW5vcA== --post ftp://a.example → --post: "ftp://a.example" isn't an HTTP URL
    WORKTRACK_WEBHOOK_SECRET=ä --post https://a.example → the webhook secret must be base64, with or without the "whsec_" prefix
    WORKTRACK_WEBHOOK_SECRET=A --post https://a.example → the webhook secret must contain at least 16 bytes (got 0); create one with: openssl rand -base64 24
    WORKTRACK_WEBHOOK_SECRET=whsec_YWJjZGVmZ2hpamtsbW5v --post https://a.example → the webhook secret must contain at least 16 bytes (got 15); create one with: openssl rand -base64 24
    WORKTRACK_WEBHOOK_SECRET=YWJjZGVmZ2hpamtsbW5vcA== --post https://me:hidden@a.example → --post: the URL must not contain a user name or password; the receiver checks the signature instead
    WORKTRACK_WEBHOOK_SECRET=YWJjZGVmZ2hpamtsbW5vcA== --post https://me@a.example → --post: the URL must not contain a user name or password; the receiver checks the signature instead
    WORKTRACK_WEBHOOK_SECRET=YWJjZGVmZ2hpamtsbW5vcA== --post me:hidden@a.example → --post: the URL must not contain a user name or password; the receiver checks the signature instead
    --pass-secrets → --pass-secrets requires --exec <command>
    --pass-secrets --post https://a.example → --pass-secrets requires --exec <command>
    --post https://a.example --secret FOLDER/none.txt → --secret: could not read FOLDER/none.txt: no such file or folder
    --exec x --post https://a.example → --exec cannot be combined with --post`,
  explore: `
    --exec true --kinds crash → invalid value "crash" for --kinds. Unknown kind "crash"; did you mean "crash_before"?
    --exec true --require converge → invalid value "converge" for --require. Unknown check "converge"; did you mean "converges"?
    --exec true --require none → --require none requires --check <command>
    --exec true --replay x → invalid value "x" for --replay. Expected an ID from a report, such as crash_after:tickets.create:2
    --exec true --jobs 0 → invalid value "0" for --jobs. Expected a positive integer
    --exec true --output FOLDER → --output: could not write FOLDER: it's a folder`,
};

const rows = Object.entries(rejections).flatMap(([command, lines]) =>
  lines
    .trim()
    .split('\n')
    .map(
      (line) =>
        [
          command,
          ...line
            .trim()
            .split('→')
            .map((part) => part.trim()),
        ] as [string, string, string],
    ),
);

test.each(rows)('worktrack %s rejects "%s": %s', async (command, line, error) => {
  const folder = await temporaryFolder();
  const file = join(folder, 'tickets.csv');
  await writeFile(file, 'Key,Summary,Status\nA,Fuel,To do\n');
  const fill = (text: string) => text.replaceAll('FILE', file).replaceAll('FOLDER', folder);
  const words = wordsOf(line).map(fill);
  const isVariable = (word: string) => /^[A-Z_]+=/.test(word);
  const variables = words.filter(isVariable).map((word) => word.split(/=(.*)/s));
  const args = [...command.split(' '), ...words.filter((word) => !isVariable(word))];
  const result = await runWords(args, { env: Object.fromEntries(variables) });
  expect(result).toEqual(rejected(`worktrack ${command}: ${fill(error)}`));
  expect(result.errors).not.toContain('wt_secret');
  expect(await readdir(folder)).toEqual(['tickets.csv']);
});
