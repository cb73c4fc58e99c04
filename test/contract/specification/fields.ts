import { everyBodyField, type Field } from '../fields.js';
import type { Statement } from './statement.js';

const types = 'rules/field-types.test.ts';
const limits = 'rules/limits.test.ts';

/** Resources and their fields (2): one statement for each field of each request, and the rules beside the tables. */
export const fieldStatements: readonly Statement[] = [
  ...everyBodyField.map(({ operation, name, field }, index) => ({
    id: `S-2.${index + 1}`,
    says: `\`${operation}\` takes \`${name}\`: ${inWords(field)}.`,
    shownBy: testsOf(operation, name, field),
  })),
  {
    id: 'S-2.70',
    says: 'Identifiers are strings.',
    shownBy: [
      [
        'rules/every-operation.test.ts',
        'every identifier is a string (a ULID), unique among the records of a server',
      ],
    ],
  },
  {
    id: 'S-2.71',
    says: 'Timestamps are date-times (ISO 8601).',
    shownBy: [['rules/every-operation.test.ts', 'every timestamp in an answer is a date-time in UTC']],
  },
  {
    id: 'S-2.72',
    says: '`board_id` and `board_slug` are alternatives.',
    shownBy: [
      [
        'rules/ticket-creation.test.ts',
        'takes the board by its id or by its slug',
        'wants exactly one of board_id and board_slug (422)',
      ],
    ],
  },
  {
    id: 'S-2.73',
    says: "A project's key is set on creation only.",
    shownBy: [['rules/projects.test.ts', 'projects.update has no key field: a key in it is ignored']],
  },
  {
    id: 'S-2.74',
    says: '`is_hidden` and `archived` are fields of updates only.',
    shownBy: [
      ['rules/boards.test.ts', 'boards.create takes no is_hidden, which only an update has'],
      ['rules/documents.test.ts', 'documents.create takes no archived, which only an update has'],
    ],
  },
  {
    id: 'S-2.75',
    says: "Every recipient of a notification belongs to the credential's organization.",
    shownBy: [
      [
        'rules/notifications.test.ts',
        'refuses the recipient %j, who is not in the organization (422), and notifies nobody',
      ],
    ],
  },
  {
    id: 'S-2.76',
    says: "A notification's url is an internal path under /app.",
    shownBy: [
      [
        'rules/notifications.test.ts',
        'takes the url %s',
        'refuses the url %j, which is no path under /app (422)',
      ],
    ],
  },
  {
    id: 'S-2.77',
    says: 'Both kinds of comment take the same body.',
    shownBy: [['rules/comments.test.ts', '%s answers the comment with its author and time']],
  },
  {
    id: 'S-2.78',
    says: 'Organization, members, labels, used tags and analytics are read-only.',
    shownBy: [
      [
        'rules/not-found.test.ts',
        'the path of %s refuses methods it does not have (405) and lists those it has',
      ],
    ],
  },
  {
    id: 'S-2.79',
    says: "Members are the project's explicit members and the organization's owners and admins.",
    shownBy: [
      [
        'rules/people-and-tags.test.ts',
        'projects.members.list has explicit members and the owners and admins of the organization',
        'projects.members.list names an owner who is an explicit member once',
      ],
    ],
  },
  {
    id: 'S-2.80',
    says: 'The tag list has only tags of at least one ticket.',
    shownBy: [
      [
        'rules/people-and-tags.test.ts',
        'projects.tags.list has no tag without a ticket: document tags and other projects do not count',
        'projects.tags.list forgets deleted tickets, and the tag with its last one',
      ],
    ],
  },
];

function inWords(field: Field): string {
  const { type, required, nullable, maxLength, minimum, minItems, maxItems, itemMaxLength, oneOf } = field;
  const words = [required ? 'required' : 'optional', type === 'strings' ? 'list of strings' : type];
  if (nullable) words.push('or null');
  const limit: string[] = [];
  if (maxLength !== undefined) limit.push(`at most ${maxLength} characters`);
  if (minimum !== undefined) limit.push(`at least ${minimum}`);
  if (minItems !== undefined) limit.push(`at least ${minItems} item`);
  if (maxItems !== undefined) limit.push(`at most ${maxItems} items`);
  if (itemMaxLength !== undefined) limit.push(`each at most ${itemMaxLength} characters`);
  if (oneOf) limit.push(`one of ${oneOf.join(', ')}`);
  return [words.join(' '), ...limit].join(', ');
}

function testsOf(operation: string, name: string, field: Field): Statement['shownBy'] {
  const shown = ['$operation refuses a wrong type of $name by its name'];
  shown.push(field.nullable ? '$operation takes null as $name' : '$operation refuses null as $name');
  if (field.required) shown.push('$operation refuses a body without $name');
  else if (!(operation === 'tickets.create' && name.startsWith('board_')))
    shown.push('%s takes a body of its required fields alone');
  const atLimits: string[] = [];
  if (field.maxLength !== undefined)
    atLimits.push('$operation takes $field.maxLength characters of $name and refuses one more');
  if (field.minimum !== undefined)
    atLimits.push('$operation takes $field.minimum as $name and refuses one less');
  if (field.maxItems !== undefined)
    atLimits.push('$operation takes $field.maxItems items in $name and refuses one more');
  if (field.minItems !== undefined) atLimits.push('$operation refuses an empty list of $name');
  if (field.itemMaxLength !== undefined) {
    atLimits.push(
      '$operation takes $field.itemMaxLength characters in each of $name and refuses one more, by its place',
    );
  }
  if (field.oneOf) atLimits.push('$operation takes exactly $field.oneOf as $name');
  return [
    [types, ...shown],
    ...(atLimits.length > 0 ? [[limits, ...atLimits] as const] : []),
  ] as Statement['shownBy'];
}
