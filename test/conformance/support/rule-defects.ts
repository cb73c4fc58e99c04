import type { OperationId } from 'worktrack/contract';
import { everyOperation, operations } from '../../support/operations.js';
import {
  accepts,
  acceptsAnyToken,
  acceptsNoToken,
  changes,
  type Defect,
  ignores,
  ignoresCredential,
  ignoresItems,
  ignoresNull,
  type Json,
  limits,
  lists,
  listsDeleted,
  pretends,
  rejects,
  rejectsField,
  responds,
  returns,
  reversed,
} from './defects.js';

/** Defects that a rule must detect, each with a part of the failure message. */
export type Detected = [defect: Defect, message: string][];

const nothing = () => [];
const withoutFirst = (items: Json[]) => items.slice(1);
const withoutLast = (items: Json[]) => items.slice(0, -1);
const withAnother = (items: Json[]) => [...items, { ...items[0], id: 'another' }];

/** Returns a wrong value for each field, one at a time. */
const returnsWrong = (operation: OperationId, subject: string, fields: object, nth?: number): Detected =>
  Object.entries(fields).map(([field, value]) => [returns(operation, { [field]: value }, nth), subject]);

/** Accepts each of the rule's invalid requests, one at a time. */
const acceptsAny = (operation: OperationId, error: string, count: number, from = 1): Detected =>
  Array.from({ length: count }, (_, index) => [
    accepts(operation, from + index),
    `expected 422 (${error}), got ${operations[operation].status}`,
  ]);

const isOfOrganization = (id: OperationId) => operations[id].path.includes('{organization}');

/** The rules that apply to every operation, and the 404 rules. */
const commonRules: [rule: string, Detected][] = everyOperation.flatMap((id): [string, Detected][] => {
  const { method, scope, status } = operations[id];
  // These rules send neither a valid body nor the ID of a record.
  const statusIfAccepted = !isOfOrganization(id) ? 404 : method === 'GET' ? 200 : 422;
  const acceptsWith = (defect: Defect): Detected => [
    [defect, `expected 401 (invalid_credential), got ${statusIfAccepted}`],
    [responds(id, 403), 'expected 401 (invalid_credential), got 403'],
  ];
  // The scope rule for notifications sends an unknown recipient, so nobody is notified.
  const statusWithScope = id === 'notifications.send' ? 422 : status;
  const rules: [string, Detected][] = [
    [`${id} rejects an unknown credential (401)`, acceptsWith(acceptsAnyToken(id))],
    [`${id} rejects a request without a credential (401)`, acceptsWith(acceptsNoToken(id))],
    [
      `${id} rejects a credential without the ${scope} scope (403)`,
      [[ignoresCredential(id), `expected 403, got ${statusWithScope}`]],
    ],
  ];
  if (isOfOrganization(id)) return rules;
  return [
    ...rules,
    [`${id} rejects an unknown record (404)`, [[accepts(id), `expected 404 (not_found), got ${status}`]]],
  ];
});

/** The rules for required fields and maximum lengths of the operations that create records. */
const limitRules: [rule: string, Detected][] = everyOperation
  .filter((id) => operations[id].status === 201 && id !== 'notifications.send')
  .flatMap((id) =>
    Object.entries(operations[id].body).flatMap(([field, { required, maxLength }]) => {
      const rules: [string, Detected][] = [];
      if (required) {
        rules.push([`${id} rejects a body without ${field} (422)`, acceptsAny(id, 'validation_failed', 1)]);
      }
      if (maxLength !== undefined) {
        rules.push(
          [
            `${id} accepts a ${field} of ${maxLength} characters`,
            [
              [limits(id, field, maxLength - 1), 'expected 201, got 422'],
              [limits(id, field, maxLength, Buffer.byteLength), 'expected 201, got 422'],
            ],
          ],
          [
            `${id} rejects a ${field} of ${maxLength + 1} characters (422)`,
            [[limits(id, field, maxLength + 1), 'expected 422 (validation_failed), got 201']],
          ],
        );
      }
      return rules;
    }),
  );

/** The rules that reject an invalid value in the only request of an operation. */
const invalidValueRules: [rule: string, Detected][] = (
  [
    ['boards.reorder rejects a list with a missing board', 'invalid_board_list'],
    ['boards.reorder rejects a list with a duplicate board', 'invalid_board_list'],
    ['boards.reorder rejects a list with an unknown board', 'invalid_board_list'],
    ['boards.reorder rejects a list without boards', 'invalid_board_list'],
    ['tickets.reorder rejects a list with a missing ticket', 'invalid_ticket_list'],
    ['tickets.reorder rejects a list with a duplicate ticket', 'invalid_ticket_list'],
    ['tickets.reorder rejects a list with an unknown ticket', 'invalid_ticket_list'],
    ['boards.create rejects a WIP limit of 0', 'validation_failed'],
    ["boards.create rejects a WIP limit that isn't an integer", 'validation_failed'],
    ['boards.create rejects a string for is_done', 'validation_failed'],
    ['boards.delete requires a target if the board has tickets', 'target_board_required'],
    ['projects.create rejects a null name', 'validation_failed'],
    ['projects.create rejects a numeric name', 'validation_failed'],
    ['tickets.create rejects an unknown board', 'invalid_board'],
    ['tickets.create rejects an unknown slug', 'invalid_board'],
    ['tickets.create rejects a board in another project', 'invalid_board'],
    ['tickets.create rejects an unknown assignee', 'invalid_relation'],
    ['tickets.create rejects an unknown label', 'invalid_relation'],
    ['tickets.create rejects an unknown priority', 'validation_failed'],
    ["tickets.create rejects a due date that isn't a date-time", 'validation_failed'],
    ['documents.create rejects an unknown status', 'validation_failed'],
    ['documents.create rejects 21 tags', 'validation_failed'],
    ['documents.create rejects a tag of 51 characters', 'validation_failed'],
    ['documents.update rejects an unknown status', 'validation_failed'],
    ['notifications.send rejects an unknown recipient', 'invalid_recipient'],
    ['notifications.send rejects no recipients', 'validation_failed'],
    ['notifications.send rejects 101 recipients', 'validation_failed'],
    ['notifications.send rejects a title of 181 characters', 'validation_failed'],
    ['notifications.send rejects a body of 2001 characters', 'validation_failed'],
    ['notifications.send rejects a URL on another site', 'invalid_url'],
    ['notifications.send rejects a path outside /app', 'invalid_url'],
    ['notifications.send rejects a path that escapes /app', 'invalid_url'],
  ] as const
).map(([rule, code]) => [`${rule} (422)`, acceptsAny(rule.split(' ')[0] as OperationId, code, 1)]);

const specificRules: Record<string, Detected> = {
  'organization.get rejects access to another organization (403)': [
    [accepts('organization.get'), 'expected 403, got 200'],
    [responds('organization.get', 404), 'expected 403, got 404'],
  ],
  'organization.get returns the organization (200)': [
    [responds('organization.get', 204), 'expected 200, got 204'],
    [returns('organization.get', { id: 'other' }), 'id: expected "org_acme", got "other"'],
  ],
  "tickets.update rejects a body that isn't valid JSON (400)": [
    [accepts('tickets.update'), 'expected 400 (malformed_json), got 200'],
    [rejects('tickets.update'), 'expected 400 (malformed_json), got 422'],
  ],
  'tickets.update ignores unknown fields': [
    [rejectsField('tickets.update', 'unknown'), 'expected 200, got 422'],
    [returns('tickets.update', { title: 'Old' }), 'title: expected "New", got "Old"'],
  ],

  'projects.get returns the project (200)': [
    [responds('projects.get', 201), 'expected 200, got 201'],
    [returns('projects.get', { id: 'other' }), 'id: expected "'],
  ],
  'projects.list returns the projects (200)': [
    [responds('projects.list', 204), 'expected 200, got 204'],
    [changes('projects.list', () => ({ id: 'one' })), "the response doesn't contain a list"],
  ],
  'projects.create creates a project that can be read and listed (201)': [
    [responds('projects.create', 200), 'expected 201, got 200'],
    [responds('projects.get', 404), 'expected 200, got 404'],
    [responds('projects.list', 404), 'expected 200, got 404'],
    [lists('projects.list', withoutLast), "projects.list doesn't contain the project"],
    ...returnsWrong('projects.get', 'the project: expected ["Conformance Apollo","APO","Tried"]', {
      name: 'Conformance',
      key: 'CONF',
      description: null,
    }),
  ],
  'projects.update updates the name and clears the description (200)': [
    [responds('projects.update', 204), 'expected 200, got 204'],
    ...returnsWrong('projects.update', 'the project: expected ["Conformance renamed",null]', {
      name: 'Conformance',
      description: 'Before',
    }),
    [ignoresNull('projects.update'), 'got ["Conformance renamed","Before"]'],
  ],
  'projects.update archives and unarchives a project (200)': [
    [rejects('projects.update', 1), 'expected 200, got 422'],
    [rejects('projects.update', 2), 'expected 200, got 422'],
    [
      returns('projects.update', { archived_at: null }),
      "the project is archived, but archived_at isn't a date",
    ],
    [returns('projects.update', { archived_at: '2030-01-01T00:00:00Z' }), 'archived_at: expected null'],
  ],
  'projects.update leaves the key unchanged': [
    [rejectsField('projects.update', 'key'), 'expected 200, got 422'],
    [returns('projects.update', { key: 'OTHER' }), 'key: expected "CONF", got "OTHER"'],
  ],
  'projects.delete soft-deletes the project (204)': [
    [responds('projects.delete', 200), 'expected 204, got 200'],
    [responds('projects.delete', 204), 'projects.list still contains the project'],
    [responds('projects.list', 404), 'expected 200, got 404'],
  ],
  "projects.delete also deletes the project's boards and tickets (404)": [
    [responds('projects.delete', 200), 'expected 204, got 200'],
    [accepts('projects.get'), 'expected 404 (not_found), got 200'],
    [accepts('boards.update'), 'expected 404 (not_found), got 200'],
    [accepts('tickets.get'), 'expected 404 (not_found), got 200'],
  ],
  'projects.members.list returns the members (200)': [
    [responds('projects.members.list', 204), 'expected 200, got 204'],
    [
      lists('projects.members.list', nothing),
      "the list is empty, but should contain at least the organization's owner",
    ],
  ],
  "projects.members.list returns only the organization's owners and admins for a project without members": [
    [responds('projects.members.list', 204), 'expected 200, got 204'],
    [
      lists('projects.members.list', (members) => [...members, { role: 'guest' }]),
      'expected only owners and admins, got owner, admin, guest',
    ],
  ],
  'projects.labels.list returns the labels (200)': [
    [responds('projects.labels.list', 204), 'expected 200, got 204'],
    [changes('projects.labels.list', () => ({ id: 'one' })), "the response doesn't contain a list"],
  ],
  'projects.labels.list returns no labels for a new project': [
    [responds('projects.labels.list', 204), 'expected 200, got 204'],
    [lists('projects.labels.list', withAnother), 'labels: expected [], got [{"id":"another"}]'],
  ],
  'projects.tags.list returns no tags if none of the tickets have tags (200)': [
    [responds('projects.tags.list', 204), 'expected 200, got 204'],
    [lists('projects.tags.list', withAnother), 'tags: expected [], got [{"id":"another"}]'],
  ],
  'projects.analytics.get returns the analytics (200)': [
    [responds('projects.analytics.get', 204), 'expected 200, got 204'],
  ],
  'projects.analytics.get counts total, done, open, and overdue tickets, and the tickets per board': [
    [responds('projects.analytics.get', 204), 'expected 200, got 204'],
    ...returnsWrong('projects.analytics.get', 'analytics: expected {"total":4,"done":1,"open":3', {
      total: 3,
      done: 0,
      open: 4,
      overdue: 0,
      completion_percentage: 0,
    }),
    [returns('projects.analytics.get', { by_board: [{ count: 1 }] }), 'by_board: expected [3,1], got [1]'],
  ],

  'boards.list returns the boards (200)': [
    [responds('boards.list', 204), 'expected 200, got 204'],
    [lists('boards.list', withoutFirst), 'boards.list is missing a newly created board'],
    [lists('boards.list', withoutLast), 'boards.list is missing a newly created board'],
  ],
  'boards.list returns no boards for a new project': [
    [lists('boards.list', withAnother), 'boards: expected [], got ["another"]'],
  ],
  'boards.create creates a board with every field (201)': [
    [responds('boards.create', 200), 'expected 201, got 200'],
    ...returnsWrong('boards.create', 'the board: expected {"name":"All","color":"red","wip_limit":3', {
      name: 'Board',
      color: null,
      wip_limit: null,
      is_done: false,
    }),
  ],
  'boards.create adds a board to the end of its project': [
    [lists('boards.list', reversed), 'boards.list: expected'],
    [lists('boards.list', withAnother), 'boards.list: expected'],
  ],
  'boards.create derives a unique slug from the name': [
    [
      returns('boards.create', { slug: 'a' }, 1),
      'slugs: expected ["in-review","in-review-2","board"], got ["a",',
    ],
    [returns('boards.create', { slug: 'in-review' }, 2), 'got ["in-review","in-review","board"]'],
    [returns('boards.create', { slug: 'c' }, 3), 'got ["in-review","in-review-2","c"]'],
  ],
  'boards.update updates every field and clears fields set to null (200)': [
    [responds('boards.update', 204), 'expected 200, got 204'],
    ...returnsWrong('boards.update', 'the board: expected {"name":"Renamed","color":null,"wip_limit":null', {
      name: 'Second',
      color: 'red',
      wip_limit: 2,
      is_done: false,
      is_hidden: false,
    }),
    [ignoresNull('boards.update'), 'got {"name":"Renamed","color":"red","wip_limit":2'],
  ],
  'boards.reorder reorders the boards and returns them (200)': [
    [responds('boards.reorder', 204), 'expected 200, got 204'],
    [lists('boards.reorder', reversed), 'the response: expected'],
    [lists('boards.list', reversed, 2), 'boards.list: expected'],
    [
      pretends('boards.reorder', ({ board_ids }) => board_ids.map((id: string) => ({ id }))),
      'boards.list: expected',
    ],
  ],
  ...Object.fromEntries(
    ['a missing board', 'a duplicate board', 'an unknown board'].map((list) => [
      `boards.reorder rejects a list with ${list} (422)`,
      [[lists('boards.list', reversed, 2), 'boards.list: expected']] satisfies Detected,
    ]),
  ),
  'boards.delete deletes an empty board if no target is given (204)': [
    [rejects('boards.delete'), 'expected 204, got 422'],
    [responds('boards.delete', 204), 'boards.list still contains the board'],
  ],
  'boards.delete deletes a board and moves its tickets to the target (204)': [
    [rejects('boards.delete'), 'expected 204, got 422'],
    [responds('boards.delete', 204), 'tickets on the target: expected'],
    [lists('tickets.list', withoutFirst), 'tickets on the target: expected'],
    [listsDeleted('boards.list', 'boards.delete'), 'boards.list still contains the board'],
  ],
  'boards.delete rejects an unknown target, the board itself, and a board in another project (422)': [
    ...acceptsAny('boards.delete', 'invalid_target_board', 3),
    [lists('tickets.list', nothing), 'tickets on the board: expected'],
  ],
  'boards.delete rejects a target without room for all tickets (422) and moves none': [
    ...acceptsAny('boards.delete', 'wip_limit_reached', 1),
    [lists('tickets.list', withoutFirst, 1), 'tickets on the board: expected'],
    [lists('tickets.list', withAnother, 2), 'a ticket was moved anyway'],
  ],

  'tickets.create creates a ticket with every field (201)': [
    [responds('tickets.create', 200), 'expected 201, got 200'],
    ...returnsWrong('tickets.create', 'the ticket: expected ["All","<p>x</p>","high"', {
      title: 'Other',
      description_html: null,
      priority: 'normal',
      assignees: [],
    }),
    [returns('tickets.create', { due_at: '2030-01-01T13:00:00Z' }), 'due_at: expected 1893499200000'],
    [rejects('tickets.get'), 'expected 200, got 422'],
    ...returnsWrong('tickets.get', 'tickets.get: expected ["All","<p>x</p>","high"]', {
      title: 'Other',
      description_html: null,
      priority: 'normal',
    }),
    [lists('projects.members.list', () => [{ id: 'none' }]), 'expected 201, got 422'],
  ],
  'tickets.get returns the ticket (200)': [
    [responds('tickets.get', 201), 'expected 200, got 201'],
    [returns('tickets.get', { id: 'other' }), 'id: expected "'],
  ],
  "tickets.create records the credential's name as the creator": [
    [returns('tickets.create', { creator: { name: null } }), "the ticket's creator has no name"],
    [returns('tickets.create', { creator: null }), "the ticket's creator has no name"],
  ],
  "tickets.create accepts a board's slug (201)": [
    [rejects('tickets.create'), 'expected 201, got 422'],
    [returns('tickets.create', { board_id: 'other' }), 'board_id: expected'],
  ],
  'tickets.create requires exactly one of board_id and board_slug (422)': acceptsAny(
    'tickets.create',
    'validation_failed',
    2,
  ),
  "tickets.create accepts tickets up to a board's WIP limit and rejects one more (422)": [
    [rejects('tickets.create', 1), 'expected 201, got 422'],
    ...acceptsAny('tickets.create', 'wip_limit_reached', 1, 2),
    [lists('tickets.list', withAnother), 'tickets on the board: expected 1, got 2'],
  ],
  "tickets.create numbers a project's tickets starting at 1": [
    [returns('tickets.create', { number: 7 }, 1), 'numbers: expected [1,2,3], got [7,2,3]'],
    [returns('tickets.create', { number: 2 }, 3), 'numbers: expected [1,2,3], got [1,2,2]'],
  ],
  'tickets.update updates the fields, clears fields set to null, and archives the ticket (200)': [
    [responds('tickets.update', 204), 'expected 200, got 204'],
    ...returnsWrong(
      'tickets.update',
      'the ticket: expected ["New","x","critical"]',
      { title: 'Ticket 1', description_html: null, priority: 'normal' },
      1,
    ),
    [returns('tickets.update', { due_at: '2030-01-01T00:00:00Z' }, 1), 'due_at: expected 1893448800000'],
    ...returnsWrong(
      'tickets.update',
      'the ticket: expected ["New",null,null]',
      { title: 'Ticket 1', description_html: 'x', due_at: '2029-12-31T22:00:00Z' },
      2,
    ),
    [ignoresNull('tickets.update'), 'the ticket: expected ["New",null,null], got ["New","x","20'],
    [
      returns('tickets.update', { archived_at: null }, 3),
      "the ticket is archived, but archived_at isn't a date",
    ],
    [returns('tickets.update', { archived_at: '2030-01-01T00:00:00Z' }, 4), 'archived_at: expected null'],
  ],
  'tickets.update replaces the assignees and ignores duplicates': [
    [responds('tickets.update', 204), 'expected 200, got 204'],
    [
      changes('tickets.update', ({ assignees: [one] }) => ({ assignees: [one, one] }), 1),
      'assignees: expected [',
    ],
    [returns('tickets.update', { assignees: [{ id: 'one' }] }, 2), 'assignees: expected [], got ["one"]'],
  ],
  'tickets.delete soft-deletes the ticket (204)': [
    [responds('tickets.delete', 200), 'expected 204, got 200'],
    [responds('tickets.delete', 204), 'tickets on the board: expected'],
    [lists('tickets.list', nothing), 'tickets on the board: expected'],
  ],
  'tickets.delete makes the ticket inaccessible (404)': [
    [responds('tickets.delete', 200, 1), 'expected 204, got 200'],
    [responds('tickets.delete', 204, 2), 'expected 404 (not_found), got 204'],
  ],
  'tickets.move moves a ticket to a position on another board (200)': [
    [responds('tickets.move', 204), 'expected 200, got 204'],
    [returns('tickets.move', { board_id: 'other' }), 'board_id: expected'],
    [ignores('tickets.move', 'position'), 'tickets on the board: expected'],
    [lists('tickets.list', withoutFirst, 1), 'tickets on the board: expected'],
    [lists('tickets.list', withAnother, 2), 'tickets on the previous board: expected [], got ["another"]'],
  ],
  'tickets.move rejects a move to a full board (422) and leaves the ticket in place': [
    ...acceptsAny('tickets.move', 'wip_limit_reached', 1),
    [lists('tickets.list', nothing), 'tickets on the board: expected'],
  ],
  'tickets.move rejects an unknown board and a negative position (422)': [
    ...acceptsAny('tickets.move', 'invalid_board', 2),
    ...acceptsAny('tickets.move', 'validation_failed', 1, 3),
  ],
  'tickets.move moves a ticket to the end if the position is missing or too large': [
    [rejects('tickets.move', 1), 'tickets on the board: expected'],
    [rejects('tickets.move', 2), 'tickets on the board: expected'],
    [lists('tickets.list', reversed), 'tickets on the board: expected'],
  ],
  'tickets.move moves tickets within a full board (200)': [
    [rejects('tickets.move'), 'expected 200, got 422'],
    [ignores('tickets.move', 'position'), 'tickets on the board: expected'],
  ],
  'tickets.move sets started_at on the first move, and completed_at only on a done board': [
    [rejects('tickets.move', 1), 'expected 200, got 422'],
    [returns('tickets.move', { started_at: null }, 1), "the first move didn't set started_at"],
    [
      returns('tickets.move', { completed_at: '2030-01-01T00:00:00Z' }, 1),
      "the first move didn't set started_at",
    ],
    [returns('tickets.move', { completed_at: null }, 2), "the done board didn't set completed_at"],
    ...returnsWrong(
      'tickets.move',
      'started_at and completed_at: expected',
      { started_at: null, completed_at: '2030-01-01T00:00:00Z' },
      3,
    ),
  ],
  'tickets.reorder reorders the tickets (204)': [
    [responds('tickets.reorder', 200), 'expected 204, got 200'],
    [responds('tickets.reorder', 204), 'tickets on the board: expected'],
  ],
  'tickets.comments.create creates a comment (201)': [
    [responds('tickets.comments.create', 200), 'expected 201, got 200'],
    [
      returns('tickets.comments.create', { body_html: 'Hello' }),
      'body_html: expected "<p>Hello</p>", got "Hello"',
    ],
  ],
  "tickets.list returns a board's tickets (200)": [
    [responds('tickets.list', 204), 'expected 200, got 204'],
    [changes('tickets.list', () => ({ id: 'one' })), "the response doesn't contain a page"],
    [ignores('tickets.list', 'board_id'), 'tickets on the first board: expected'],
    [lists('tickets.list', withoutLast), 'tickets on the first board: expected'],
  ],
  'tickets.list searches ticket text (200)': [
    [ignores('tickets.list', 'q'), 'tickets found: expected'],
    [lists('tickets.list', nothing), 'tickets found: expected'],
  ],
  'tickets.list searches the description, ignoring markup and case': [
    [ignores('tickets.list', 'q'), 'tickets with NEEDLE & t: expected'],
    [lists('tickets.list', nothing, 1), 'tickets with NEEDLE & t: expected'],
    [lists('tickets.list', withAnother, 2), 'tickets with <b>: expected [], got ["another"]'],
  ],
  'tickets.list accepts per_page from 1 to 200 (200) and rejects other values (422)': [
    [lists('tickets.list', nothing, 1), 'tickets with per_page=1: expected 1, got 0'],
    [lists('tickets.list', withoutLast, 2), 'tickets with per_page=200: expected 2, got 1'],
    ...acceptsAny('tickets.list', 'validation_failed', 4, 3),
  ],
  'tickets.list returns numbered pages with totals': [
    [lists('tickets.list', nothing, 1), 'pages: expected [[['],
    [lists('tickets.list', nothing, 2), 'pages: expected [[['],
    [lists('tickets.list', withAnother, 3), 'pages: expected [[['],
    ...returnsWrong('tickets.list', 'pages: expected [[[', {
      current_page: 9,
      last_page: 9,
      total: 9,
      from: 9,
      to: 9,
    }),
  ],

  'documents.list filters by project, status, and all given tags (200)': [
    [ignores('documents.list', 'project_id'), 'documents in the project: expected'],
    [lists('documents.list', withoutFirst, 1), 'documents in the project: expected'],
    [lists('documents.list', nothing, 2), 'documents with one tag: expected'],
    [lists('documents.list', withAnother, 3), 'documents with both tags: expected'],
    [lists('documents.list', withAnother, 4), 'drafts: expected'],
    [ignores('documents.list', 'status'), 'drafts: expected'],
    [lists('documents.list', withAnother, 5), 'published documents with a tag: expected'],
  ],
  'documents.list searches document text (200)': [
    [ignores('documents.list', 'q'), 'documents found: expected'],
    [lists('documents.list', nothing), 'documents found: expected'],
  ],
  'documents.list rejects an unknown status and a per_page of 0 or 201 (422)': acceptsAny(
    'documents.list',
    'validation_failed',
    3,
  ),
  'documents.create creates a draft by default (201)': [
    [responds('documents.create', 200), 'expected 201, got 200'],
    [returns('documents.create', { status: 'published' }), 'status: expected "draft", got "published"'],
  ],
  'documents.create creates a document with every field (201)': [
    ...returnsWrong('documents.create', 'the document: expected ["', {
      project_id: null,
      caption: null,
      content_html: null,
      status: 'draft',
    }),
    ...returnsWrong('documents.create', 'the editors and tags: expected', { editors: [], tags: [] }),
    [responds('documents.get', 404), 'expected 200, got 404'],
    ...returnsWrong('documents.get', 'documents.get: expected ["Caption","<p>x</p>"]', {
      caption: null,
      content_html: null,
    }),
  ],
  'documents.create rejects 101 editors (422)': [
    ...acceptsAny('documents.create', 'validation_failed', 1),
    [ignoresItems('documents.create', 'editor_ids', 100), 'expected 422 (validation_failed), got 201'],
  ],
  'documents.create rejects 21 tags (422)': [
    [ignoresItems('documents.create', 'tag_names', 20), 'expected 422 (validation_failed), got 201'],
  ],
  'notifications.send rejects 101 recipients (422)': [
    [
      ignoresItems('notifications.send', 'user_ids', 100),
      'expected error code validation_failed, got invalid_recipient',
    ],
  ],
  'documents.get returns the document (200)': [
    [responds('documents.get', 201), 'expected 200, got 201'],
    [returns('documents.get', { id: 'other' }), 'id: expected "'],
  ],
  "documents.create records the credential's name as the author": [
    [returns('documents.create', { author: { name: null } }), "the document's author has no name"],
    [returns('documents.create', { author: null }), "the document's author has no name"],
  ],
  'documents.create rejects an unknown project and an unknown editor (422)': acceptsAny(
    'documents.create',
    'invalid_relation',
    2,
  ),
  'documents.update updates the fields, clears fields set to null, and archives the document (200)': [
    [responds('documents.update', 204), 'expected 200, got 204'],
    ...returnsWrong(
      'documents.update',
      'the document: expected ["Conformance new"',
      { title: 'Conformance', project_id: null, content_html: null, tags: [] },
      1,
    ),
    ...returnsWrong(
      'documents.update',
      'the document: expected [null,null,null,[]]',
      { project_id: 'one', caption: 'Caption', content_html: 'x', tags: [{ name: 'conformance c' }] },
      2,
    ),
    [ignoresNull('documents.update'), ',"Caption","x",[]]'],
    [
      returns('documents.update', { archived_at: null }, 3),
      "the document is archived, but archived_at isn't a date",
    ],
    [returns('documents.update', { archived_at: '2030-01-01T00:00:00Z' }, 4), 'archived_at: expected null'],
  ],
  'documents.update publishes a document (200)': [
    [responds('documents.update', 204), 'expected 200, got 204'],
    [returns('documents.update', { status: 'draft' }), 'status: expected "published", got "draft"'],
  ],
  'documents.update sets published_at when a document is published and clears it when the document becomes a draft':
    [
      [rejects('documents.update', 2), 'expected 200, got 422'],
      [returns('documents.create', { published_at: '2030-01-01T00:00:00Z' }), 'published_at: expected null'],
      [
        returns('documents.update', { published_at: null }, 1),
        "published_at isn't a date while the document is published",
      ],
      [
        returns('documents.update', { published_at: '2030-01-01T00:00:00Z' }, 2),
        'published_at: expected null',
      ],
    ],
  'documents.delete soft-deletes the document (204)': [
    [responds('documents.delete', 200), 'expected 204, got 200'],
    [responds('documents.delete', 204), 'documents in the project: expected []'],
  ],
  'documents.delete makes the document inaccessible (404)': [
    [responds('documents.delete', 200), 'expected 204, got 200'],
    [responds('documents.delete', 204), 'expected 404 (not_found), got 200'],
  ],
  'documents.comments.create creates a comment (201)': [
    [responds('documents.comments.create', 200), 'expected 201, got 200'],
    [
      returns('documents.comments.create', { body_html: 'Hello' }),
      'body_html: expected "<p>Hello</p>", got "Hello"',
    ],
  ],
};

/** The defects by rule. */
export const defects: ReadonlyMap<string, Detected> = merge([
  ...commonRules,
  ...limitRules,
  ...invalidValueRules,
  ...Object.entries(specificRules),
]);

/** A rule can be in several tables. */
function merge(entries: [rule: string, Detected][]): Map<string, Detected> {
  const merged = new Map<string, Detected>();
  for (const [rule, detected] of entries) merged.set(rule, [...(merged.get(rule) ?? []), ...detected]);
  return merged;
}
