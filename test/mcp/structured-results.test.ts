import { expect, test, vi } from 'vitest';
import { apollo, connect } from './support/connect.js';
import { callsByTool } from './support/tool-calls.js';

interface Structured {
  summary: string;
  untrusted?: Record<string, unknown>[];
  hint?: string;
}

test.each(Object.entries(callsByTool))(
  'the structured result of %s contains the same data as its text',
  async (name, { args }) => {
    const { client } = await connect({ write: true, allowDestructive: true, mockTools: true });
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    const [part] = content;
    const text = part?.type === 'text' ? part.text : '';
    expect(isError, text).toBeFalsy();
    const { summary, untrusted = [], hint = '' } = structuredContent as unknown as Structured;
    const lines = text.split('\n');
    expect(lines[0]).toBe(summary);
    const fenced = text.replace(/^<\/?untrusted-\w{12}>$/gm, '');
    if (hint) expect(text.endsWith(hint)).toBe(true);
    // The structured result contains everything in the text, in the same order.
    let rest = fenced.slice(summary.length, fenced.length - hint.length);
    for (const string of untrusted.flatMap(stringsIn)) {
      const index = rest.indexOf(string);
      expect(index, `${string} in ${rest}`).toBeGreaterThanOrEqual(0);
      rest = rest.slice(0, index) + rest.slice(index + string.length);
    }
    expect(rest.replace(/\[board_id |[\s|:\]]/g, '')).toBe('');
  },
);

/** Returns a part's strings in the order they appear in its text. A group's name appears only once. */
function stringsIn(part: Record<string, unknown>): string[] {
  const { heading, columns, rows, ...fields } = part as {
    heading?: string;
    columns?: string[];
    rows?: string[][];
  };
  const group = columns?.indexOf('board_id') ?? -1;
  const cells = (rows ?? []).flatMap((row, index) =>
    row.filter((_, column) => column !== group || row[group] !== rows?.[index - 1]?.[group]),
  );
  return [
    ...(heading ? [heading] : []),
    ...(columns ?? []).filter((name) => name !== 'board_id'),
    ...cells,
    ...Object.entries(fields).flatMap(([name, value]) => (name === 'text' ? [value] : [name, value])),
  ].map(String);
}

test("the structured result for a long text with many quotation marks doesn't exceed the size limit", async () => {
  const { client, mock } = await connect();
  const { id } = mock.add.ticket({
    board: 'brd_todo',
    description_html: `<p>${'"quoted" '.repeat(5000)}</p>`,
  });
  const args = { ticket: id, fields: ['description_html'] };
  const { structuredContent } = await client.callTool({ name: 'tickets_get', arguments: args });
  expect(JSON.stringify(structuredContent).length).toBeLessThanOrEqual(24_000);
  expect(JSON.stringify(structuredContent).length).toBeGreaterThan(20_000);
});

test('the `fields` parameter lists all fields of the record', async () => {
  const { client, call } = await connect();
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'boards_list');
  const schema = tool?.inputSchema.properties?.fields as { items: { enum: string[] } } | undefined;
  const names = schema?.items.enum;
  expect(names).toContain('wip_limit');
  expect((await call('boards_list', { project: 'APO', fields: names })).isError).toBe(false);
});

test.each([
  ['board_overview', { project: 'APO' }, [1, 2, 3, 4]],
  ['find_tickets', { q: 'radio' }, [1]],
  ['find_tickets', { done: false }, [1]],
  ['tickets_update_many', { tickets: ['APO-1', 'APO-2'], archived: true }, [1, 2]],
])('%s reports its progress if the client asks for it', async (name, args, expected) => {
  const { client } = await connect({ write: true });
  const steps: number[] = [];
  await client.callTool(
    { name, arguments: args },
    { onprogress: ({ progress }) => void steps.push(progress) },
  );
  await vi.waitFor(() => expect(steps).toEqual(expected));
});

test("a server reports that it's read-only, both in its instructions and when a model calls a tool that changes data", async () => {
  const { client, call } = await connect({ mockTools: true, scopes: ['tickets:read', 'tickets:write'] });
  // The tools that control the mock server still change its data, but not through the API.
  expect(client.getInstructions()).toContain(
    'This server is read-only: no tool changes data through the API.',
  );
  const { text, isError } = await call('tickets_update', { ticket: 'APO-1', title: 'X' });
  expect(isError).toBe(true);
  expect(text).toBe("tickets_update isn't available: it changes data, and this server is read-only.");
  expect((await call('documents_get', { document: 'x' })).text).toContain('was started without it');
  const writing = await connect({ write: true, tools: ['tickets_*'] });
  expect(writing.client.getInstructions()).not.toContain('read-only');
  expect((await writing.call('boards_list')).text).toContain('was started without it');
});

test.each([
  () => {
    throw new Error('The log is full');
  },
  async () => {
    throw new Error('The log is full');
  },
])(
  'if onCall throws an error, the call still returns its result, and the error is logged',
  async (onCall) => {
    const errors: unknown[] = [];
    const { call } = await connect({ onCall, onError: (error) => errors.push(error) });
    expect((await call('projects_get', { project: 'APO' })).text).toContain('name: Apollo');
    expect(errors).toEqual([new Error('The log is full')]);
  },
);

test('clients are allowed to cache the list of tools for an hour', async () => {
  const { client } = await connect({}, { protocol: '2026' });
  expect(await client.listTools()).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'private' });
});

test('no result exceeds the size limit, neither as text nor as JSON', async () => {
  const mock = apollo();
  for (let index = 0; index < 200; index++) {
    const board = ['brd_todo', 'brd_done'][index % 2] ?? '';
    mock.add.ticket({ board, title: `"${'x"'.repeat(90)} ${index}`, description_html: '"'.repeat(500) });
  }
  const { client } = await connect({ mock });
  for (const [name, args] of [
    ['tickets_list', { project: 'APO', per_page: 200, fields: ['title', 'description_html', 'assignees'] }],
    ['board_overview', { project: 'APO', tickets_per_board: 20 }],
    ['find_tickets', { q: 'x', limit: 100 }],
  ] as const) {
    const { content, structuredContent } = await client.callTool({ name, arguments: args });
    expect(JSON.stringify(structuredContent).length, name).toBeLessThan(24_000);
    expect((content[0] as { text: string }).text.length, name).toBeLessThan(24_000);
  }
});

test("a record that fits is shown in full, and one that doesn't fit is truncated, with a hint to select fields", async () => {
  const mock = apollo();
  const { call } = await connect({ mock, write: true });
  const description = `${'word '.repeat(990)}end`;
  await call('projects_update', { project: 'APO', description });
  expect((await call('projects_get', { project: 'APO' })).text).toContain(description);
  const members = Array.from({ length: 100 }, (_, index) => {
    return mock.add.user({ name: `${index} ${'名'.repeat(60)}` }).id;
  });
  mock.add.project({ name: 'Large', key: 'LRG', members });
  const document = mock.add.document({ title: 'Plan', editors: members.slice(0, 50) }).id;
  const read = async () => (await call('documents_get', { document })).text;
  for (const id of members.slice(0, 50)) expect(await read()).toContain(id);
  await call('documents_update', { document, editor_ids: members, caption: '名'.repeat(2000) });
  expect(await read()).toMatch(/Long values were shortened; to get one in full, pass its name in fields\.$/);
});

test('an incomplete result explains how to get the rest', async () => {
  const mock = apollo();
  const { call } = await connect({ mock });
  expect((await call('board_overview', { project: 'APO' })).text).not.toContain('other tickets');
  expect((await call('board_overview', { project: 'APO', tickets_per_board: 1 })).text).toMatch(
    /To get the other tickets on a board, use tickets_list with its board_id\.$/,
  );
  for (let index = 0; index < 60; index++) mock.add.project({ name: `P${index}`, key: `P${index}` });
  expect((await call('find_tickets', { q: 'radio', limit: 1 })).text).toMatch(
    /To search the other 11 projects, use tickets_list\.$/,
  );
  expect((await call('projects_get', { project: 'Moon' })).text).toMatch(
    /There are 41 more\. To see them, use the list tools\.$/,
  );
});
