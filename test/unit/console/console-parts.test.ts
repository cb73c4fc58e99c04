import { describe, expect, test } from 'vitest';
import {
  credentialNameOf,
  explain,
  operationNameOf,
  toRows,
} from '../../../addons/console/app/parts/describe-request.js';
import { describeFault, toFault } from '../../../addons/console/app/parts/faults.js';
import { jsonTokens } from '../../../addons/console/app/parts/json-tokens.js';
import { readPlace } from '../../../addons/console/app/route.js';
import type { JournalEntry } from '../../../addons/console/app/server/admin-api.js';
import { matches, RetryFinder } from '../../../addons/console/app/server/journal.js';

const entry: JournalEntry = {
  id: 'req_000001',
  operation: 'tickets.move',
  method: 'POST',
  url: 'http://127.0.0.1:4010/api/v1/tickets/tkt_1/move',
  body: { board_id: 'brd_Review' },
  credential: 'Launch bot',
  scope: 'tickets:write',
  status: 422,
  code: 'wip_limit_reached',
  responseBody: { code: 'wip_limit_reached', message: 'The board is full.' },
  at: '2026-01-01T00:00:00.000Z',
  duration: 1,
};
const filter = { method: '', operation: '', status: '', text: '' };

test.each([
  [{}, true],
  [{ method: 'POST' }, true],
  [{ method: 'GET' }, false],
  [{ operation: 'tickets.create' }, false],
  [{ status: '4' }, true],
  [{ status: '0' }, false],
  [{ text: 'brd_review  LAUNCH' }, true],
  [{ text: 'brd_review nothing' }, false],
])('matches(entry, %j) returns %j', (change, expected) => {
  expect(matches(entry, { ...filter, ...change })).toBe(expected);
});

test.each([
  ['', { view: 'requests', item: '', space: '', query: {} }],
  [
    '#/requests/req_000007?space=worker-1',
    { view: 'requests', item: 'req_000007', space: 'worker-1', query: {} },
  ],
  ['#requests/a%2Fb', { view: 'requests', item: 'a/b', space: '', query: {} }],
  ['#/requests/%', { view: 'requests', item: '%', space: '', query: {} }],
  ['#/requests/%E4%?space=%', { view: 'requests', item: '%E4%', space: '%', query: {} }],
  [
    '#/requests?status=4&project=p',
    { view: 'requests', item: '', space: '', query: { status: '4', project: 'p' } },
  ],
  ['#/__proto__/__proto__?space=%00', { view: '__proto__', item: '__proto__', space: '\0', query: {} }],
])('readPlace(%j) returns %j', (hash, place) => {
  expect(readPlace(hash)).toEqual(place);
});

test.each<[string, Partial<JournalEntry>, string, string]>([
  ['a known token', {}, 'tickets.move', 'Launch bot'],
  [
    'an unknown token',
    { credential: undefined, code: 'invalid_credential', headers: { authorization: '[hidden]' } },
    'tickets.move',
    'unknown token',
  ],
  [
    'no token',
    { credential: undefined, code: 'invalid_credential', headers: {} },
    'tickets.move',
    'no token',
  ],
  ['an unknown path', { credential: undefined, operation: undefined }, 'unknown path', 'not checked'],
  [
    'the wrong method',
    { credential: undefined, operation: undefined, code: 'method_not_allowed' },
    'wrong method',
    'not checked',
  ],
])('operationNameOf and credentialNameOf describe a request with %s', (_, change, operation, credential) => {
  const changed = { ...entry, ...change } as JournalEntry;
  expect([operationNameOf(changed), credentialNameOf(changed)]).toEqual([operation, credential]);
});

test('RetryFinder numbers the attempts after a failed request', () => {
  const finder = new RetryFinder();
  const add = (id: string, change: Partial<JournalEntry>) => finder.add({ ...entry, id, ...change }).retry;
  expect(add('req_1', { status: 503 })).toBeUndefined();
  expect(add('req_2', { status: 503, url: 'http://127.0.0.1:4010/api/v1/other' })).toBeUndefined();
  expect(add('req_3', { status: 429 })).toEqual({ of: 'req_1', attempt: 2 });
  expect(add('req_4', { status: 200 })).toEqual({ of: 'req_1', attempt: 3 });
  expect(add('req_5', { status: 503 })).toBeUndefined();
  expect(add('req_6', { status: 200, at: '2026-01-01T00:10:00.000Z' })).toBeUndefined();
});

test('toRows lists a retried request once, and its earlier attempts only while the group is expanded', () => {
  const finder = new RetryFinder();
  const add = (id: string, change: Partial<JournalEntry>) => finder.add({ ...entry, id, ...change });
  const other = { url: 'http://127.0.0.1:4010/api/v1/other' };
  const entries = [
    add('req_1', { status: 503 }),
    add('req_2', { status: 200, ...other }),
    add('req_3', { status: 503 }),
    add('req_4', { status: 200 }),
  ].reverse();
  const list = (opened: string[], selected = '', listed = entries) =>
    toRows(listed, new Set(opened), selected).map(({ entry: { id }, group, isEarlier }) =>
      [id, isEarlier && 'earlier', group && `${group.attempts} from ${group.first}`]
        .filter(Boolean)
        .join(' '),
    );
  expect(list([])).toEqual(['req_4 3 from req_1', 'req_2']);
  const opened = ['req_4 3 from req_1', 'req_3 earlier', 'req_1 earlier', 'req_2'];
  expect(list(['req_1'])).toEqual(opened);
  expect(list([], 'req_3')).toEqual(opened);
  expect(list([], 'req_4')).toEqual(['req_4 3 from req_1', 'req_2']);
  expect(list([], '', [entries[1] as JournalEntry])).toEqual(['req_3']);
});

test.each([
  ['{\n  "a": [1, -2.5e3, true, null],\n  "b": "x: \\"1\\""\n}', ['"a"', '"b"']],
  ['not JSON <b>', []],
  ['{"unfinished": "', ['"unfinished"']],
])('jsonTokens(%j) preserves the text and finds the keys', (text, keys) => {
  const tokens = jsonTokens(text);
  expect(tokens.map((token) => token.text).join('')).toBe(text);
  expect(tokens.filter(({ kind }) => kind === 'key').map((token) => token.text)).toEqual(keys);
});

describe('explain', () => {
  test.each<[string, Partial<JournalEntry>, object]>([
    [
      'an API rule',
      {},
      { title: 'Rejected by a rule for tickets.move', code: 'wip_limit_reached', text: 'The board is full.' },
    ],
    ['a missing scope', { status: 403, code: 'missing_scope' }, { text: 'Launch bot lacks tickets:write.' }],
    ['a fault', { status: 503, fault: 'status 503' }, { title: 'Caused by a fault: status 503' }],
    ['validation', { code: 'validation_failed' }, { title: 'Rejected by validation' }],
    ['the rate limit', { status: 429, code: 'rate_limited' }, { title: 'Rejected by the rate limit' }],
    ['a lost connection', { status: 0 }, { title: 'No response was sent' }],
  ])('explains that a request failed because of %s', (_, change, expected) => {
    expect(explain({ ...entry, ...change })).toMatchObject(expected);
  });

  test('returns undefined for a successful request', () => {
    expect(explain({ ...entry, status: 200 })).toBeUndefined();
  });
});

test('toFault converts form values to a fault, and describeFault describes it', () => {
  const fault = toFault({
    effect: 'status',
    status: 503,
    latency: 500,
    error: 'connection',
    operation: 'tickets.move',
    credential: 'Launch bot',
    times: 2,
    probability: 50,
  });
  expect(fault).toEqual({
    status: 503,
    operation: 'tickets.move',
    credential: 'Launch bot',
    times: 2,
    probability: 0.5,
  });
  expect(describeFault(fault)).toEqual({
    effect: 'Status 503',
    selection: 'tickets.move · by Launch bot · 2 times · 50% of requests',
  });
});
