import { describe, expect, test } from 'vitest';
import type { ExpectedRequest } from 'worktrack/mock-server';
import { send, serverOf } from './support/server.js';

/** Returns the journal of a server that has received one tickets.update request. */
async function receiveUpdate() {
  const mock = serverOf();
  await send(mock, 'PATCH', '/tickets/tkt_1', { title: 'New', label_ids: ['a', 'b'], due_at: null });
  return mock.requests;
}

const anonymous = (
  () => () =>
    false
)();
const named = function isOld() {
  return false;
};

describe('an expectation', () => {
  test.each<[string, ExpectedRequest]>([
    ['a list item by item', { body: { label_ids: ['a', /b/] } }],
    ['several fields', { body: { title: /^N/ }, status: 422, credential: expect.any(String) }],
    ['null', { body: { due_at: null } }],
    ['with an asymmetric matcher', { body: expect.objectContaining({ title: 'New' }) }],
    ['with a function', { body: (body: { title: string }) => body.title === 'New' }],
    ['any request if it is empty', {}],
  ])('matches %s', async (_, expected) => {
    const requests = await receiveUpdate();

    expect(requests.expect('tickets.update', expected).params).toEqual({ ticket: 'tkt_1' });
  });

  test.each<[string, ExpectedRequest, string]>([
    [
      'a list with a different length',
      { body: { label_ids: ['a'] } },
      'body.label_ids: expected ["a"], got ["a","b"]',
    ],
    ['a different item', { body: { label_ids: ['a', 'c'] } }, 'body.label_ids[1]: expected "c", got "b"'],
    ['a list instead of a string', { body: { title: ['New'] } }, 'body.title: expected ["New"], got "New"'],
    [
      "a regular expression for a value that isn't a string",
      { body: { due_at: /2/ } },
      'body.due_at: expected /2/, got null',
    ],
    ['a matcher', { body: { title: expect.any(Number) } }, 'body.title: expected Any<Number>, got "New"'],
    [
      'a function without a name',
      { body: { title: anonymous } },
      'body.title: expected a value that the function accepts, got "New"',
    ],
    ['a function with a name', { body: { title: named } }, 'body.title: expected isOld, got "New"'],
  ])('describes the difference for %s', async (_, expected, line) => {
    const requests = await receiveUpdate();

    expect(() => requests.expect('tickets.update', expected)).toThrow(`    ${line}`);
  });

  test.each<[object, string]>([
    [{ bdoy: {} }, '"bdoy"; did you mean "body"?'],
    [{ params: { id: 'tkt_1' } }, '"params.id"; expected one of: ticket'],
    [{ body: { titel: 'New' } }, '"body.titel"; did you mean "body.title"?'],
    [{ body: { title: { a: 1 } } }, '"body.title.a"; "body.title" has no fields'],
    [{ body: { due_at: { a: 1 } } }, '"body.due_at.a"; "body.due_at" has no fields'],
    [
      { body: { label_ids: ['a', { id: 'b' }] } },
      '"body.label_ids[1].id"; "body.label_ids[1]" has no fields',
    ],
    [{ query: { page: 2 } }, '"query.page"; "query" has no fields'],
  ])('is rejected if it contains an unknown field: %j', async (expected, message) => {
    const requests = await receiveUpdate();

    expect(() => requests.expectNone('tickets.update', expected)).toThrow(
      `requests: unknown field ${message}`,
    );
  });

  test('is truncated in error messages, which show functions and matchers by name', async () => {
    const requests = await receiveUpdate();
    expect(requests.describeMiss('tickets.update', { body: { title: anonymous } })).toContain(
      'like {"body":{"title":"function"}}.',
    );
    const miss = requests.describeMiss('tickets.update', {
      body: { title: named },
      status: expect.any(Number),
      credential: expect.not.objectContaining({ a: 1 }),
      url: 'x'.repeat(200),
    });

    expect(miss).toContain(
      'like {"body":{"title":"function isOld"},"status":"Any<Number>","credential":"ObjectNotContaining","url":"xx',
    );
    expect(miss.split('\n')[0]).toHaveLength('Expected a tickets.update request like .'.length + 120);
  });

  test('is shown in full if it has at most 120 characters', async () => {
    const requests = await receiveUpdate();
    const shown = (url: string) => requests.describeMiss('tickets.update', { url }).split('\n')[0];

    expect(shown('x'.repeat(110))).toBe(
      `Expected a tickets.update request like {"url":"${'x'.repeat(110)}"}.`,
    );
    expect(shown('x'.repeat(111))).toBe(
      `Expected a tickets.update request like {"url":"${'x'.repeat(111)}….`,
    );
  });
});
