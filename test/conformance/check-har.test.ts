import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { checkHar, formatHarJUnit, formatHarText } from 'worktrack/conformance';
import { createMockServer } from 'worktrack/mock-server';

const check = (har: unknown) => checkHar(JSON.stringify(har));

const harOf = (...entries: unknown[]) => ({ log: { version: '1.2', entries } });

const label = { id: 'lbl_1', name: 'büg', color: null };

/** Returns an entry for a request that lists a project's labels, with the given response content. */
const labels = (content: object, { status = 200, headers = [] as object[] } = {}) => ({
  request: { method: 'GET', url: 'https://work.example.com/base/api/v1/projects/prj_1/labels' },
  response: { status, headers, content },
});

const json = (value: unknown) => ({ text: JSON.stringify(value) });
const base64 = (bytes: Uint8Array) => ({ encoding: 'base64', text: Buffer.from(bytes).toString('base64') });

const messages = (findings: readonly { message: string }[]) => findings.map(({ message }) => message);

describe('checkHar', () => {
  test('finds no problems in the traffic between the client and the mock server', async () => {
    const mock = createMockServer();
    const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
    const project = await client.projects.create({ name: 'Apollo', key: 'APO' });
    const board = await client.boards.create(project.id, { name: 'Todo', wip_limit: 1 });
    const ticket = await client.tickets.create(project.id, {
      board_id: board.id,
      title: 'Fuel',
      due_at: new Date(0),
    });
    await client.tickets.create(project.id, { board_id: board.id, title: 'x' }).catch(() => {});
    await client.tickets.list(project.id, { per_page: 5, q: 'fuel' });
    await client.documents.list({ tags: ['a', 'b'] });
    await client.tickets.delete(ticket.id);
    await client.tickets.get(ticket.id).catch(() => {});
    expect(check(mock.requests.toHar())).toEqual({
      entries: 8,
      ignored: 0,
      withoutBody: 0,
      operations: {
        'projects.create': 1,
        'boards.create': 1,
        'tickets.create': 2,
        'tickets.list': 1,
        'documents.list': 1,
        'tickets.delete': 1,
        'tickets.get': 1,
      },
      problems: [],
      notes: [],
    });
  });

  test('checks a recording from Chrome and ignores unrelated requests', async () => {
    const file = new URL('support/chrome.har.json', import.meta.url);
    const report = checkHar(readFileSync(file, 'utf8'));
    expect(formatHarText(report)).toMatchInlineSnapshot(`
      "✗ boards.list response: *.wip_limit must be a number (entry 2)
      ✗ boards.update request: wip_limit must be at least 1 (got 0) (entry 3)
      – boards.list response: additional field "icon" (entry 2)
      – boards.update request: unknown field "emoji"; expected one of: name, color, wip_limit, is_done, is_hidden (entry 3)
      3 requests for 3 operations, 2 without a recorded response body, 1 of 4 entries ignored, 2 problems, 2 notes"
    `);
  });

  test.each([
    ['plain text', json({ data: [label] }), []],
    ['base64', base64(Buffer.from(JSON.stringify({ data: [label] }))), []],
    [
      'a wrong type',
      json({
        data: [
          { ...label, name: 7 },
          { ...label, name: 8 },
        ],
      }),
      ['*.name must be a string'],
    ],
    [
      'a wrong type in base64',
      base64(Buffer.from('{"data":[{"id":1,"name":"a","color":null}]}')),
      ['*.id must be a string'],
    ],
    ['a missing envelope', json([label]), ['contains no data']],
    ['HTML', { text: '<html>' }, ['contains no data']],
    ['an empty body', { text: '' }, ['contains no data']],
  ])('checks a response body with %s', async (_, content, problems) => {
    const report = check(harOf(labels(content)));
    expect(messages(report.problems)).toEqual(problems);
    expect(report.withoutBody).toBe(0);
  });

  test('accepts headers in an object instead of a list', async () => {
    const entry = labels(base64(Buffer.from('{"data":[]}')), { headers: {} as [] });
    expect(check(harOf(entry))).toMatchObject({ entries: 1, withoutBody: 0, problems: [] });
  });

  test.each([
    ["a body that wasn't recorded", labels({ size: 12 })],
    ['compressed data', labels(base64(gzipSync('{"data":[]}')))],
    ['invalid base64', labels({ encoding: 'base64', text: '###' })],
    ['no response', labels({}, { status: 0 })],
    ['304', labels({}, { status: 304 })],
  ])('counts an entry if its response body is unavailable: %s', async (_, entry) => {
    expect(check(harOf(entry))).toMatchObject({ entries: 1, withoutBody: 1, problems: [] });
  });

  test.each([
    [201, ['status 201 is not in the contract (expected 200)']],
    [418, ['status 418 is not in the contract (expected 200)']],
    [401, []],
    [404, []],
    [429, []],
    [503, []],
  ])('checks a response with status %i', async (status, problems) => {
    expect(messages(check(harOf(labels(json({}), { status }))).problems)).toEqual(problems);
  });

  test('checks the bodies of accepted requests', async () => {
    const entry = (status: number) => ({
      request: {
        method: 'POST',
        url: 'https://work.example.com/api/v1/projects/p/tickets',
        postData: { text: JSON.stringify({ title: 7, board_slug: 'todo', estimate: 3 }) },
      },
      response: { status, content: {} },
    });
    const accepted = check(harOf(entry(201), entry(201)));
    expect(accepted.problems).toEqual([
      {
        operation: 'tickets.create',
        part: 'request',
        message: 'title must be a string',
        count: 2,
        firstEntry: 1,
      },
    ]);
    expect(messages(accepted.notes)).toEqual([expect.stringContaining('unknown field')]);
    expect(check(harOf(entry(422))).problems).toEqual([]);
    const query = {
      request: { method: 'GET', url: 'https://w.example/api/v1/projects/p/tickets?per_page=500&_=17' },
      response: { status: 200 },
    };
    const report = check(harOf(query));
    expect(messages(report.problems)).toEqual(['per_page must be at most 200 (got 500)']);
  });

  test('checks only requests to the origin of the base URL', async () => {
    const other = {
      ...labels(json([])),
      request: { method: 'GET', url: 'https://other.example/api/v1/widgets' },
    };
    const har = JSON.stringify(harOf(labels(json({ data: [{ ...label, name: 5 }] })), other));
    const origins = ['https://work.example.com/base/', 'https://other.example', 'http://work.example.com'];
    const reports = origins.map((baseUrl) => checkHar(har, { baseUrl }));
    expect(reports.map(({ ignored, problems }) => [ignored, problems.length])).toEqual([
      [1, 1],
      [2, 0],
      [2, 0],
    ]);
  });

  test('ignores requests that are not to an operation', () => {
    const entry = (method: string, url: string) => ({ request: { method, url }, response: { status: 200 } });
    const report = check(
      harOf(
        entry('GET', 'https://w.example/api/v1/widgets/17'),
        entry('OPTIONS', 'https://w.example/api/v1/boards/1'),
        entry('GET', 'https://cdn.example/logo.png'),
        entry('GET', 'data:image/png;base64,AAAA'),
        { request: null },
      ),
    );
    expect(report).toMatchObject({ entries: 5, ignored: 5, problems: [], notes: [] });
  });

  test.each([
    ['{"log":{"entries":[', "it isn't valid JSON"],
    ['', "it isn't valid JSON"],
    ['{"log":{"entries":[{]}}', "it isn't valid JSON"],
    ['<html>', "it isn't valid JSON"],
    ['{"log":{}}', 'it has no "log.entries"'],
    ['{"log":{"entries":{}}}', 'it has no "log.entries"'],
    ['[]', 'it has no "log.entries"'],
    ['\ufeff{"log":{"entries":[]}}x', "it isn't valid JSON"],
  ])('rejects %j', async (text, problem) => {
    expect(() => checkHar(text)).toThrow(`the recording isn't an HTTP Archive (HAR): ${problem}`);
  });

  test('accepts a recording with a byte order mark', async () => {
    expect(checkHar(`\ufeff${JSON.stringify(harOf())}`)).toMatchObject({ entries: 0 });
  });

  test('reports problems in JUnit format, with one test case per operation', async () => {
    const report = check(harOf(labels(json({ data: [{ id: 1 }] })), labels(json({ data: [label] }))));
    expect(formatHarJUnit(report)).toContain(
      '<testsuite name="worktrack conformance --har" tests="1" failures="1"',
    );
    expect(formatHarJUnit(report)).toContain(
      'projects.labels.list response: *.id must be a string (entry 1)',
    );
  });
});
