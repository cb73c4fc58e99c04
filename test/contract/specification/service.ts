import type { Statement } from './statement.js';

const everyOperation = 'rules/every-operation.test.ts';
const credentials = 'rules/credentials.test.ts';
const fullRecord = '%s answers with its status and the full record';

/** What the service does (1), states and transitions (3), authentication (6), events and versioning (7, 9). */
export const serviceStatements: readonly Statement[] = [
  {
    id: 'S-1.1',
    says: 'All paths are below `/api/v1`.',
    shownBy: [[everyOperation, 'every path is below /api/v1 and unknown without it']],
  },
  {
    id: 'S-1.2',
    says: 'Bodies, both ways, are JSON.',
    shownBy: [
      [everyOperation, fullRecord],
      [
        'rules/bad-input.test.ts',
        '%s refuses a body that is not JSON (400) and changes nothing',
        'every answer of a refusal is JSON',
      ],
    ],
  },
  {
    id: 'S-1.3',
    says: 'An organization has projects and documents; a project has boards, tickets, labels, members and tags.',
    shownBy: [
      [
        'rules/projects.test.ts',
        'projects.list has the projects of the organization by creation, and no other',
      ],
      ['rules/people-and-tags.test.ts', 'projects.labels.list has the labels of the project and no other'],
    ],
  },
  {
    id: 'S-1.4',
    says: 'Tickets sit on boards, and a board can have a WIP limit.',
    shownBy: [
      [
        'rules/wip-limit.test.ts',
        'tickets.create fills a board up to its WIP limit and refuses one more (422)',
      ],
    ],
  },
  {
    id: 'S-1.5',
    says: 'Tickets and documents receive comments.',
    shownBy: [['rules/comments.test.ts', '%s answers the comment with its author and time']],
  },
  {
    id: 'S-1.6',
    says: "An organization's users can be sent notifications.",
    shownBy: [['rules/notifications.test.ts', 'any user of the organization can be a recipient']],
  },
  {
    id: 'S-1.7',
    says: 'A project has analytics to read.',
    shownBy: [['rules/analytics.test.ts', 'counts total, done, open and each live board in order']],
  },
  {
    id: 'S-1.8',
    says: 'Every operation requires a named scope.',
    shownBy: [
      [
        credentials,
        '%s needs its scope: all twelve others are not enough (403)',
        '%s needs no other scope than its own',
      ],
    ],
  },
  {
    id: 'S-1.9',
    says: 'A credential belongs to one organization; access to another one is refused (403).',
    shownBy: [
      [
        credentials,
        '%s refuses another organization, whether or not it exists (403)',
        '%s refuses a live record of another organization (403)',
      ],
    ],
  },
  {
    id: 'S-1.10',
    says: 'Deleting a project, board, ticket or document is a soft delete and answers 204.',
    shownBy: [
      ['rules/projects.test.ts', 'projects.delete is soft: 204, and its boards and tickets are gone with it'],
      ['rules/boards.test.ts', 'takes an empty board without a target, and without a body (204)'],
      ['rules/ticket-changes.test.ts', 'is soft: 204, and gone from every reading'],
      ['rules/documents.test.ts', 'documents.delete is soft: 204, and gone from every reading'],
    ],
  },
  {
    id: 'S-1.11',
    says: 'A ticket or document created through the API has the credential, shown by its name, as creator or author.',
    shownBy: [
      [credentials, 'a ticket and a document created with a credential name it as creator and author'],
    ],
  },
  {
    id: 'S-3.1',
    says: 'A document is a draft unless its creation says otherwise.',
    shownBy: [
      [
        'rules/documents.test.ts',
        'documents.create answers the new document with its defaults, and it can be read back',
      ],
    ],
  },
  {
    id: 'S-3.2',
    says: 'A document created with a status has that status.',
    shownBy: [
      ['rules/documents.test.ts', 'documents.create and documents.update keep every field that is given'],
      ['rules/limits.test.ts', '$operation takes exactly $field.oneOf as $name'],
    ],
  },
  {
    id: 'S-3.3',
    says: 'PATCH with a status sets it, draft or published.',
    shownBy: [['rules/documents.test.ts', 'status draft and published can each follow the other']],
  },
  {
    id: 'S-3.4',
    says: 'PATCH with `archived` archives and unarchives a project, ticket or document.',
    shownBy: [
      ['rules/projects.test.ts', 'archived sets archived_at to the time and clears it again'],
      ['rules/ticket-changes.test.ts', 'archived sets archived_at to the time and clears it again'],
      [
        'rules/documents.test.ts',
        'archived sets archived_at to the time and clears it again, without other effects',
      ],
    ],
  },
  {
    id: 'S-3.5',
    says: 'PATCH with `is_hidden` hides and shows a board.',
    shownBy: [
      ['rules/boards.test.ts', 'is_hidden follows the update and has no effect on listings and arrivals'],
    ],
  },
  {
    id: 'S-3.6',
    says: 'A board has `is_done`, set on creation and by PATCH.',
    shownBy: [
      ['rules/boards.test.ts', 'boards.create and boards.update keep every field that is given'],
      ['rules/analytics.test.ts', 'what is done follows the board, not the ticket'],
    ],
  },
  {
    id: 'S-3.7',
    says: 'Deleting a board that has tickets requires `move_to_board_id`, and the tickets go to that board.',
    shownBy: [
      [
        'rules/boards.test.ts',
        'requires a target when the board has tickets (422) and changes nothing',
        'moves the tickets to the end of the target, in their order',
      ],
    ],
  },
  {
    id: 'S-3.8',
    says: 'Deleting a board is refused (422) when the target is invalid or its WIP limit would be exceeded.',
    shownBy: [
      ['rules/boards.test.ts', 'refuses the target %j, which is no other live board of the project (422)'],
      [
        'rules/wip-limit.test.ts',
        'boards.delete refuses a target whose WIP limit would be exceeded (422) and moves no ticket',
        'boards.delete fills the target exactly up to its WIP limit',
      ],
    ],
  },
  {
    id: 'S-3.9',
    says: 'A moved ticket is on the target board at the position given, and the answer is 200.',
    shownBy: [
      [
        'rules/positions.test.ts',
        'tickets.move to another board at position $position',
        'tickets.move of $ticket within its board to position $position',
      ],
    ],
  },
  {
    id: 'S-3.10',
    says: 'A move is refused (422) when the board is not valid or its WIP limit is reached.',
    shownBy: [
      ['rules/ticket-changes.test.ts', 'refuses the board %s, which is no live board of the project (422)'],
      [
        'rules/wip-limit.test.ts',
        'tickets.move refuses a board whose WIP limit is reached (422) and leaves both boards as they were',
      ],
    ],
  },
  {
    id: 'S-3.11',
    says: 'A ticket is created on a valid board whose WIP limit is not reached, otherwise 422.',
    shownBy: [
      [
        'rules/ticket-creation.test.ts',
        'refuses the board_id %s, which is no live board of the project (422)',
        'refuses the board_slug %s, which no live board of the project has (422)',
      ],
      [
        'rules/wip-limit.test.ts',
        'tickets.create fills a board up to its WIP limit and refuses one more (422)',
      ],
    ],
  },
  {
    id: 'S-6.1',
    says: 'An invalid credential is 401.',
    shownBy: [
      [
        credentials,
        '%s refuses a request without a credential (401)',
        '%s refuses an unknown token (401)',
        '%s refuses a credential under another scheme (401)',
      ],
    ],
  },
  {
    id: 'S-6.2',
    says: 'A credential of another organization, or without the scope, is 403.',
    shownBy: [
      [
        credentials,
        '%s needs its scope: all twelve others are not enough (403)',
        '%s refuses a live record of another organization (403)',
      ],
    ],
  },
  {
    id: 'S-6.3',
    says: 'The credential is recorded, by its name, as creator or author.',
    shownBy: [
      [credentials, 'a ticket and a document created with a credential name it as creator and author'],
    ],
  },
  {
    id: 'S-7.1',
    says: 'There is no event feed; a notification is an ordinary operation.',
    shownBy: [
      [
        'rules/notifications.test.ts',
        'answers one id for each recipient, and counts that add up to them (201)',
      ],
      ['contract/operations.test.ts', 'it has the same thirty operations, numbered from 1 to 30'],
    ],
  },
  {
    id: 'S-9.1',
    says: 'The path prefix of version 1.0.0 is `/api/v1`.',
    shownBy: [
      [everyOperation, 'every path is below /api/v1 and unknown without it'],
      ['rules/not-found.test.ts', 'a path that no operation has is 404, with or without a credential'],
    ],
  },
];
