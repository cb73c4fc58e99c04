import { endpoints, everyOperation } from '../endpoints.js';
import { everyScope, scopeTable } from '../scopes.js';
import type { Statement } from './statement.js';

const boards = 'rules/boards.test.ts';
const positions = 'rules/positions.test.ts';
const pagination = 'rules/pagination.test.ts';
const filters = 'rules/filters.test.ts';
const everyOne = 'rules/every-operation.test.ts';
const agree = 'contract/operations.test.ts';

/** Endpoints, their query parameters and rules (4), and the scopes (5). */
export const operationStatements: readonly Statement[] = [
  ...everyOperation
    .map((id) => ({ operation: id, ...endpoints[id] }))
    .sort((a, b) => a.number - b.number)
    .map(({ operation, number, method, path, scope, success }) => ({
      id: `S-4.${number}`,
      says: `\`${operation}\` is ${method} \`${path}\`, needs \`${scope}\` and answers ${success}.`,
      shownBy: [
        [everyOne, '%s answers with its status and the full record'],
        [agree, '%s has the same number, method, path, scope, and status', '%s has the same payload fields'],
        ['rules/credentials.test.ts', '%s needs its scope: all twelve others are not enough (403)'],
        ['rules/through-the-client.test.ts', '%s gives what the server answers'],
      ] as const,
    })),
  {
    id: 'S-4.31',
    says: 'The lists of tickets and of documents come in pages.',
    shownBy: [
      [agree, 'only the lists of tickets and documents are paginated'],
      [pagination, 'the envelope of a page in the middle says everything'],
    ],
  },
  {
    id: 'S-4.32',
    says: '`per_page` is an integer from 1 to 200, 50 by default.',
    shownBy: [
      [
        pagination,
        'per_page is 50 unless it is given, and at most 200',
        'per_page=%j and page of it are refused (422)',
      ],
    ],
  },
  {
    id: 'S-4.33',
    says: 'Tickets can be listed by `board_id`.',
    shownBy: [[filters, 'board_id keeps the tickets of that board']],
  },
  {
    id: 'S-4.34',
    says: 'Tickets can be searched with `q`.',
    shownBy: [[filters, 'q finds title and description without regard to case']],
  },
  {
    id: 'S-4.35',
    says: 'Documents can be listed by `project_id`.',
    shownBy: [[filters, 'project_id keeps the documents of that project']],
  },
  {
    id: 'S-4.36',
    says: 'Documents can be listed by `status`, draft or published.',
    shownBy: [[filters, 'status keeps drafts or published ones, and nothing else is a status (422)']],
  },
  {
    id: 'S-4.37',
    says: 'Documents can be searched with `q`.',
    shownBy: [[filters, 'q finds title, caption and content without regard to case']],
  },
  {
    id: 'S-4.38',
    says: '`tags` is a list of names separated by commas, all of them required.',
    shownBy: [[filters, 'tags requires every name']],
  },
  {
    id: 'S-4.39',
    says: 'Path parameters are required strings.',
    shownBy: [
      [
        'rules/not-found.test.ts',
        '%s answers 404 for an unknown record',
        'an id in a path is percent-decoded',
      ],
    ],
  },
  {
    id: 'S-4.40',
    says: 'The key of a project is accepted on creation only.',
    shownBy: [['rules/projects.test.ts', 'projects.update has no key field: a key in it is ignored']],
  },
  {
    id: 'S-4.41',
    says: '`boards.reorder` answers the reordered list.',
    shownBy: [
      [positions, 'boards.reorder puts the boards in the order given and answers the reordered list'],
    ],
  },
  {
    id: 'S-4.42',
    says: '`boards.reorder` refuses an invalid list (422).',
    shownBy: [[positions, 'boards.reorder refuses a list that is %s (422) and changes nothing']],
  },
  {
    id: 'S-4.43',
    says: '`boards.delete` requires a target when the board has tickets.',
    shownBy: [[boards, 'requires a target when the board has tickets (422) and changes nothing']],
  },
  {
    id: 'S-4.44',
    says: '`boards.delete` refuses an invalid target, and one whose WIP limit would be exceeded (422).',
    shownBy: [
      [boards, 'refuses the target %j, which is no other live board of the project (422)'],
      [
        'rules/wip-limit.test.ts',
        'boards.delete refuses a target whose WIP limit would be exceeded (422) and moves no ticket',
      ],
    ],
  },
  {
    id: 'S-4.45',
    says: '`tickets.create` names its board by `board_id` or `board_slug`.',
    shownBy: [
      [
        'rules/ticket-creation.test.ts',
        'takes the board by its id or by its slug',
        'wants exactly one of board_id and board_slug (422)',
      ],
    ],
  },
  {
    id: 'S-4.46',
    says: '`tickets.create` answers 422 for a failed validation, relation or WIP limit.',
    shownBy: [
      [
        'rules/ticket-creation.test.ts',
        'refuses the assignee %s, who %s (422)',
        'refuses the label %s, %s (422)',
      ],
      [
        'rules/wip-limit.test.ts',
        'tickets.create fills a board up to its WIP limit and refuses one more (422)',
      ],
      ['rules/field-types.test.ts', '$operation refuses a wrong type of $name by its name'],
    ],
  },
  {
    id: 'S-4.47',
    says: '`tickets.reorder` refuses an invalid list (422).',
    shownBy: [
      [
        positions,
        'tickets.reorder refuses a list that is %s (422) and changes nothing',
        'tickets.reorder refuses the board %s, which is no live board of the project (422)',
      ],
    ],
  },
  {
    id: 'S-4.48',
    says: '`tickets.move` refuses an invalid board, and one whose WIP limit is reached (422).',
    shownBy: [
      ['rules/ticket-changes.test.ts', 'refuses the board %s, which is no live board of the project (422)'],
      [
        'rules/wip-limit.test.ts',
        'tickets.move refuses a board whose WIP limit is reached (422) and leaves both boards as they were',
      ],
    ],
  },
  {
    id: 'S-4.49',
    says: 'The filters of `documents.list` combine with the organization of the path.',
    shownBy: [[filters, 'filters combine with each other and with the organization of the path']],
  },
  {
    id: 'S-4.50',
    says: '`notifications.send` refuses a recipient outside the organization, and a url that is no /app path (422).',
    shownBy: [
      [
        'rules/notifications.test.ts',
        'refuses the recipient %j, who is not in the organization (422), and notifies nobody',
        'refuses the url %j, which is no path under /app (422)',
      ],
    ],
  },
  {
    id: 'S-4.51',
    says: '`projects.members.list` has explicit members together with owners and admins.',
    shownBy: [
      [
        'rules/people-and-tags.test.ts',
        'projects.members.list has explicit members and the owners and admins of the organization',
      ],
    ],
  },
  {
    id: 'S-4.52',
    says: '`projects.tags.list` has each tag of at least one ticket, with its ticket count.',
    shownBy: [
      ['rules/people-and-tags.test.ts', 'projects.tags.list counts the tickets of each tag, on all boards'],
    ],
  },
  ...everyScope.map((scope, index) => ({
    id: `S-5.${index + 1}`,
    says: `The scope \`${scope}\` opens ${scopeTable[scope].length === 1 ? 'operation' : 'operations'} ${scopeTable[scope].join(', ')}.`,
    shownBy: [
      ['rules/credentials.test.ts', 'the scope %s opens the operations of its row and no other'],
      [agree, 'each of the thirteen scopes allows the same operations'],
    ] as const,
  })),
];
