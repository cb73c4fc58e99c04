import type { Statement } from './statement.js';

const credentials = 'rules/credentials.test.ts';
const notFound = 'rules/not-found.test.ts';
const pagination = 'rules/pagination.test.ts';
const positions = 'rules/positions.test.ts';
const filters = 'rules/filters.test.ts';
const wip = 'rules/wip-limit.test.ts';
const badInput = 'rules/bad-input.test.ts';

/** What the specification leaves open, and what this package chose (`C-…`). */
export const choices: readonly Statement[] = [
  choice(
    1,
    'The credential is `Authorization: Bearer <token>`, its scheme in any case; any other scheme is 401.',
    [
      credentials,
      '%s refuses a credential under another scheme (401)',
      'the scheme is compared without regard to case, the token with',
    ],
  ),
  choice(2, 'A record and an unpaginated list come as `{ "data": … }`.', [
    'rules/every-operation.test.ts',
    '%s answers with its status and the full record',
  ]),
  choice(3, '`page`, from 1, selects the page; the envelope says where it lies and links the others.', [
    pagination,
    'the envelope of a page in the middle says everything',
    'every link carries per_page and the filters, and leads to its page',
    'all pages together are the list, each item once, in order',
  ]),
  choice(4, '`page` is an integer from 1, else 422; past the end is an empty page.', [
    pagination,
    'per_page=%j and page of it are refused (422)',
    'a page past the end is empty and says how many there are',
  ]),
  choice(5, 'An empty page has `from` and `to` null, and a true last page of at least 1.', [
    pagination,
    'an empty list is one empty page',
  ]),
  choice(6, 'The last of a query parameter given twice counts.', [
    pagination,
    'the last of a parameter given twice counts',
  ]),
  choice(
    7,
    'A refusal is `{ message, errors?, code? }`; nested fields are named with dots; rules name their field too.',
    ['rules/field-types.test.ts', 'every field that is wrong is named in one answer'],
  ),
  choice(8, 'Every operation can answer 401 and 403.', [
    credentials,
    '%s refuses a request without a credential (401)',
    '%s needs its scope: all twelve others are not enough (403)',
  ]),
  choice(
    9,
    'Refusals come in the order 401, scope 403, organization 403 or 404, 400, schema 422, rule 422.',
    [
      'rules/order-of-refusal.test.ts',
      '%s checks the credential (401) before everything else',
      '%s checks the scope (403) before it looks for the record',
      '%s checks the organization (403) before the body',
      '%s checks that the record exists (404) before the body',
      '%s reads the JSON (400) before it checks it against the schema',
      '%s checks the schema before the rules',
    ],
  ),
  choice(10, 'A missing or deleted record is 404, of whatever organization; a live one of another is 403.', [
    notFound,
    '%s answers 404 for an unknown record',
    'a deleted record of another organization is 404, a live one 403',
  ]),
  choice(11, 'An unknown path is 404, with or without a credential; a wrong method is 405 with `Allow`.', [
    notFound,
    'a path that no operation has is 404, with or without a credential',
    'the path of %s refuses methods it does not have (405) and lists those it has',
  ]),
  choice(12, "An organization other than the credential's is 403, whether or not it exists.", [
    credentials,
    '%s refuses another organization, whether or not it exists (403)',
  ]),
  choice(13, 'A body that is no JSON is 400, an empty one is `{}`, and JSON that is no object is 422.', [
    badInput,
    '%s refuses a body that is not JSON (400) and changes nothing',
    '%s refuses JSON that is not an object (422) and changes nothing',
    '%s reads an empty body as {} and names what is missing',
  ]),
  choice(14, 'JSON under another content type is read all the same.', [
    badInput,
    'JSON under another content type is read all the same',
  ]),
  choice(15, 'The server ignores fields and query parameters that it does not know.', [
    'rules/every-operation.test.ts',
    'fields and query parameters that the contract does not know are ignored',
  ]),
  choice(16, 'Required means present: no minimum length is invented.', [
    'rules/limits.test.ts',
    'required means present: an empty text passes, as no minimum length is invented',
  ]),
  choice(17, 'Lengths are counted in Unicode code points.', [
    'rules/limits.test.ts',
    '$operation takes $field.maxLength characters of $name and refuses one more',
  ]),
  choice(18, 'A date-time is taken with any offset and answered in UTC.', [
    'rules/field-types.test.ts',
    'a date-time with any offset is taken and answered in UTC',
  ]),
  choice(19, "A board's slug comes from its name, is unique among the live boards and stays on a rename.", [
    'rules/boards.test.ts',
    'boards.create makes of the name %j the slug %s',
    'a slug is unique among the live boards of its project and free again after a deletion',
    'a slug stays when the board is renamed',
  ]),
  choice(20, "A ticket's number counts up in its project and is never given twice.", [
    'rules/ticket-creation.test.ts',
    'numbers count up in the project and are never given twice',
    'a refused creation uses up no number',
  ]),
  choice(21, '`started_at` is the first move to another board that is not done.', [
    'rules/ticket-changes.test.ts',
    'started_at is the first move to another board that is not done, and stays',
  ]),
  choice(22, '`completed_at` is the arrival on a done board, and null again on leaving.', [
    'rules/ticket-changes.test.ts',
    'completed_at is the arrival on a done board, and null again on leaving',
    'a ticket created on a done board is completed at once',
  ]),
  choice(23, '`published_at` is when a document last became published, and null while it is a draft.', [
    'rules/documents.test.ts',
    'published_at is when it last became published, and null while it is a draft',
  ]),
  choice(24, 'Through the API the credential is creator and author; a seed may name a user, else null.', [
    credentials,
    'a ticket and a document created with a credential name it as creator and author',
    'a seeded ticket and document have no creator and author unless the seed names one',
    'a seed may name a user as creator and author, by id or by name',
  ]),
  choice(25, 'Analytics count live tickets; overdue is due strictly before now and not done.', [
    'rules/analytics.test.ts',
    'a ticket is overdue when it was due strictly before now and is not done',
    '$done done and $open open tickets are $percentage percent',
    'a project without boards has nothing and is 0 percent complete',
  ]),
  choice(26, '`updated_at` moves when a field of the record itself changes, and only then.', [
    'rules/updated-at.test.ts',
    'of $path moves with $change, and created_at stays',
    'of $path stays when nothing changes',
    'of what a reorder puts elsewhere moves, and of what keeps its place stays',
    'of a ticket moves with a move to another board, and its neighbours keep theirs',
  ]),
  choice(27, 'A notification has one id for each recipient; one named twice counts once.', [
    'rules/notifications.test.ts',
    'answers one id for each recipient, and counts that add up to them (201)',
    'a recipient named twice counts once',
  ]),
  choice(
    28,
    'Archived and hidden have no effect on reads, listings, limits or moves.',
    ['rules/ticket-changes.test.ts', 'archived has no effect on reads, listings and moves'],
    ['rules/projects.test.ts', 'an archived project is listed, readable and writable as before'],
    [wip, 'archived tickets count for the WIP limit, on hidden and done boards too'],
  ),
  choice(
    29,
    'A document whose project is deleted stays, readable, editable and found by `project_id`.',
    [filters, 'a document whose project is deleted stays, readable, editable and found by project_id'],
    [
      filters,
      'a document keeps its deleted project through an update that names it; no other document can take it',
    ],
  ),
  choice(30, 'Tag names of the filter are compared exactly after trimming, empty ones ignored.', [
    filters,
    'tags compares names exactly after trimming, and empty ones do not count',
  ]),
  choice(
    31,
    'The WIP limit counts live tickets and guards arrivals, not moves within the board nor lowering it.',
    [
      wip,
      'tickets.move within a full board is no arrival and is not refused',
      'boards.update may set the WIP limit below the count: only arrivals are refused then',
      'a deleted ticket and a ticket that left make room under the WIP limit',
    ],
  ),
  choice(32, 'What belongs to a deleted project, or is on a deleted board, is gone with it.', [
    notFound,
    '%s answers 404 once the project is deleted',
  ]),
  choice(
    33,
    'Exactly one of `board_id` and `board_slug`; one that names no live board is `invalid_board`, on its field.',
    [
      'rules/ticket-creation.test.ts',
      'wants exactly one of board_id and board_slug (422)',
      'refuses the board_slug %s, which no live board of the project has (422)',
    ],
  ),
  choice(
    34,
    "A board deletion's target is another live board of the project, also when the board is empty.",
    ['rules/boards.test.ts', 'refuses a deleted target, also when the board itself is empty'],
  ),
  choice(
    35,
    'New boards and tickets, and tickets that a board deletion moves, come at the end.',
    [
      positions,
      'tickets.create puts the ticket at the end of its board',
      'boards.create puts the board at the end of the project',
    ],
    ['rules/boards.test.ts', 'moves the tickets to the end of the target, in their order'],
  ),
  choice(36, 'A position past the end, or left out, means the end; positions are always 0 to n - 1.', [
    positions,
    'tickets.move to another board at position $position',
    'tickets.delete closes the gap it leaves',
  ]),
  choice(
    37,
    'A list in PATCH replaces the whole list; repeated entries count once.',
    ['rules/ticket-changes.test.ts', 'a list replaces the whole list, and [] empties it'],
    [
      'rules/documents.test.ts',
      'a list replaces the whole list, [] empties it, and repeated entries count once',
    ],
  ),
  choice(38, 'A reorder list has exactly the live records, each once; `[]` where there are none.', [
    positions,
    'tickets.reorder refuses a list with a deleted ticket, and takes [] for an empty board',
    'boards.reorder leaves deleted boards out, and takes [] for a project without boards',
  ]),
  choice(
    39,
    "Labels are of the project; assignees can see it; editors are of the organization; a document's project is live.",
    [
      'rules/ticket-creation.test.ts',
      'refuses the assignee %s, who %s (422)',
      'refuses the label %s, %s (422)',
      'takes members of the project, owners and admins as assignees',
    ],
    [
      'rules/documents.test.ts',
      '%s refuses editors outside the organization (422)',
      '%s refuses a project that is no live one of the organization (422)',
    ],
  ),
  choice(40, 'An /app path is judged as a browser would resolve it.', [
    'rules/notifications.test.ts',
    'refuses the url %j, which is no path under /app (422)',
  ]),
  choice(
    41,
    '`q` is a literal text, found in title and text without markup, in any case; empty matches all.',
    [
      filters,
      'q looks at the text, not at the markup',
      'q is literal text, never a pattern',
      'an empty q matches all',
    ],
  ),
  choice(42, 'A filter that names nothing gives an empty page.', [
    filters,
    'the board_id %j, which no board of the project has, gives an empty page',
    'project_id keeps the documents of that project',
  ]),
  choice(
    43,
    'Boards and tickets come by position, tickets by board order first; documents and projects by creation.',
    [positions, 'tickets.list goes by board order first, then by position'],
    [filters, 'without filters all documents come, by creation'],
  ),
  choice(
    44,
    'A refused request changes nothing.',
    [badInput, '%s refuses a body that is not JSON (400) and changes nothing'],
    ['rules/field-types.test.ts', '$operation refuses a wrong type of $name by its name'],
  ),
  choice(45, 'Ids and everything else are deterministic.', [
    'rules/every-operation.test.ts',
    'two servers with the same seed answer the same requests with the same bytes',
  ]),
  choice(46, 'Too large a body is 413.', [
    'rules/body-size.test.ts',
    'too large a body is refused (413) and changes nothing',
  ]),
  choice(47, 'The client says the same with typed errors, and sends nothing that breaks the contract.', [
    'rules/through-the-client.test.ts',
    '%s throws an AuthenticationError for an unknown token',
    '%s throws a PermissionDeniedError without its scope',
    '%s throws a NotFoundError for an unknown record',
    '$operation throws an UnprocessableError: $reason',
    '$operation sends nothing when $name is of a wrong type',
  ]),
  choice(48, 'Requests at the same time are answered one after another, each by the state it finds.', [
    'rules/concurrency.test.ts',
    'a board takes no more than its WIP limit from creations at the same time',
    'DELETE %s succeeds once and then finds nothing',
    'a body that is still coming in is judged by the state when it is complete',
  ]),
  choice(49, 'Every wire detail can be changed, with one value for both sides.', [
    'rules/wire-details.test.ts',
    'the credential can travel in another header, and without a scheme',
    'the page selector, the envelope and the error body can be others',
    'a client of the same details understands the server',
  ]),
];

function choice(number: number, says: string, ...shownBy: [string, ...string[]][]): Statement {
  return { id: `C-${number}`, says, shownBy };
}
