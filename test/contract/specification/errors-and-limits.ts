import type { Statement } from './statement.js';

const limits = 'rules/limits.test.ts';
const types = 'rules/field-types.test.ts';
const characters = '$operation takes $field.maxLength characters of $name and refuses one more';
const contractCharacters = '$operation accepts at most $field.maxLength characters in $name';
const wrongType = '$operation refuses a wrong type of $name by its name';

/** The specification's table of limits, one row each, with the tests that show it. */
export const limitRows: readonly [subject: string, limit: string, ...titles: string[]][] = [
  ['Project name', 'at most 180 characters', characters],
  ['Project key', 'at most 12 characters', characters],
  ['Project description', 'at most 5,000 characters', characters],
  ['Board name', 'at most 120 characters', characters],
  ['Board color', 'at most 32 characters', characters],
  ['Board wip_limit', 'an integer from 1', '$operation takes $field.minimum as $name and refuses one less'],
  [
    'Ticket position in a move',
    'an integer from 0',
    '$operation takes $field.minimum as $name and refuses one less',
  ],
  ['Ticket title', 'at most 500 characters', characters],
  ['Ticket description_html', 'at most 200,000 characters', characters],
  ['Comment body_html', 'at most 200,000 characters', characters],
  ['Document title', 'at most 500 characters', characters],
  ['Document caption', 'at most 2,000 characters', characters],
  ['Document content_html', 'at most 1,000,000 characters', characters],
  [
    'Document editor_ids',
    'at most 100 items',
    '$operation takes $field.maxItems items in $name and refuses one more',
  ],
  [
    'Document tag_names',
    'at most 20 items of at most 50 characters',
    '$operation takes $field.maxItems items in $name and refuses one more',
    '$operation takes $field.itemMaxLength characters in each of $name and refuses one more, by its place',
  ],
  [
    'Notification user_ids',
    '1 to 100 items',
    '$operation takes $field.maxItems items in $name and refuses one more',
    '$operation refuses an empty list of $name',
  ],
  ['Notification title', 'at most 180 characters', characters],
  ['Notification body', 'at most 2,000 characters', characters],
  ['per_page', '1 to 200, 50 by default'],
];

/** Errors (8.1 to 8.10) and limits (8.11 on). */
export const errorAndLimitStatements: readonly Statement[] = [
  {
    id: 'S-8.1',
    says: '401 for an invalid credential, with an error body.',
    shownBy: [['rules/credentials.test.ts', '%s refuses an unknown token (401)']],
  },
  {
    id: 'S-8.2',
    says: '403 for the wrong organization or a missing scope.',
    shownBy: [
      [
        'rules/credentials.test.ts',
        '%s refuses another organization, whether or not it exists (403)',
        '%s needs its scope: all twelve others are not enough (403)',
      ],
    ],
  },
  {
    id: 'S-8.3',
    says: '422 for a failed validation where projects, boards, documents and their comments are written.',
    shownBy: [[types, wrongType, '$operation refuses a body without $name']],
  },
  {
    id: 'S-8.4',
    says: '422 for an invalid list of boards.',
    shownBy: [
      ['rules/positions.test.ts', 'boards.reorder refuses a list that is %s (422) and changes nothing'],
    ],
  },
  {
    id: 'S-8.5',
    says: '422 for an invalid target of a board deletion, or its WIP limit.',
    shownBy: [
      ['rules/boards.test.ts', 'refuses the target %j, which is no other live board of the project (422)'],
      [
        'rules/wip-limit.test.ts',
        'boards.delete refuses a target whose WIP limit would be exceeded (422) and moves no ticket',
      ],
    ],
  },
  {
    id: 'S-8.6',
    says: '422 for a ticket whose fields, relations or board do not fit.',
    shownBy: [
      [types, wrongType],
      [
        'rules/ticket-creation.test.ts',
        'refuses the assignee %s, who %s (422)',
        'refuses the label %s, %s (422)',
      ],
      [
        'rules/wip-limit.test.ts',
        'tickets.create fills a board up to its WIP limit and refuses one more (422)',
      ],
    ],
  },
  {
    id: 'S-8.7',
    says: '422 for an invalid list of tickets.',
    shownBy: [
      ['rules/positions.test.ts', 'tickets.reorder refuses a list that is %s (422) and changes nothing'],
    ],
  },
  {
    id: 'S-8.8',
    says: '422 for a move to an invalid board, or one whose WIP limit is reached.',
    shownBy: [
      ['rules/ticket-changes.test.ts', 'refuses the board %s, which is no live board of the project (422)'],
      [
        'rules/wip-limit.test.ts',
        'tickets.move refuses a board whose WIP limit is reached (422) and leaves both boards as they were',
      ],
    ],
  },
  {
    id: 'S-8.9',
    says: '422 for an invalid recipient or url of a notification.',
    shownBy: [
      [
        'rules/notifications.test.ts',
        'refuses the recipient %j, who is not in the organization (422), and notifies nobody',
        'refuses the url %j, which is no path under /app (422)',
      ],
    ],
  },
  {
    id: 'S-8.10',
    says: 'The statuses listed for each operation are the ones it can answer with.',
    shownBy: [['contract/operations.test.ts', '%s has the error statuses of the table']],
  },
  ...limitRows.map(([subject, limit, ...titles], index) => ({
    id: `S-8.${index + 11}`,
    says: `${subject}: ${limit}.`,
    shownBy: (titles.length > 0
      ? [
          [limits, ...titles],
          ...(titles[0] === characters ? [['contract/limits.test.ts', contractCharacters]] : []),
        ]
      : [
          [
            'rules/pagination.test.ts',
            'per_page is 50 unless it is given, and at most 200',
            'per_page=%j and page of it are refused (422)',
          ],
        ]) as unknown as Statement['shownBy'],
  })),
];
