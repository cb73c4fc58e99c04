import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { getEncoding } from 'js-tiktoken';
import { expect, test } from 'vitest';
import { operationIds, operationOf, type Schema, scopes, validate } from 'worktrack/contract';
import { connect } from './support/connect.js';
import { callsByTool, toolCalls } from './support/tool-calls.js';

const encoding = getEncoding('o200k_base');
const tokens = (value: unknown) => encoding.encode(JSON.stringify(value)).length;
const toolOf = (id: string) => id.replaceAll('.', '_');
const ofOperations = new Set<string>(operationIds.map(toolOf));

async function definitions(options: Parameters<typeof connect>[0]) {
  // Tools that require confirmation are hidden from clients that can't ask the user for it.
  const { client } = await connect({ allowDestructive: true, mockTools: true, ...options });
  return (await client.listTools()).tools;
}

test('the tool definitions match the snapshot', async () => {
  const lines = (await definitions({ write: true })).flatMap((tool) => {
    const { name, description, inputSchema, ...others } = tool;
    const { properties = {}, ...schema } = inputSchema;
    const fields = Object.entries(properties).map(([field, type]) => `  ${field}: ${JSON.stringify(type)}`);
    return [`${name}: ${description}`, ...fields, `  ${JSON.stringify({ ...schema, ...others })}`];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./definitions.snapshot.txt');
});

test('the tool definitions use at most 6,000 tokens, and the read-only definitions use at most 2,200', async () => {
  const all = await definitions({ write: true, mockTools: false });
  const reads = await definitions({ mockTools: false });
  expect(all.filter(({ name }) => ofOperations.has(name))).toHaveLength(operationIds.length);
  expect(tokens(all)).toBeLessThan(6000);
  expect(tokens(reads)).toBeLessThan(2200);
});

test('a list of fifty tickets uses at most 2,500 tokens', async () => {
  const { mock, call } = await connect();
  const { id } = mock.add.project({ name: 'Large', key: 'LRG' });
  const board = mock.add.board({ project: id, name: 'To do' });
  for (let index = 1; index <= 50; index += 1) {
    const title = `Check the wiring of module ${index} before the launch`;
    mock.add.ticket({
      board: board.id,
      title,
      description_html: `<p>${'Details. '.repeat(40)}</p>`,
      assignees: ['usr_ada'],
    });
  }
  const { text } = await call('tickets_list', { project: id, per_page: 50 });
  expect(text).toContain('tickets 1-50 of 50');
  expect(encoding.encode(text).length).toBeLessThanOrEqual(2500);
});

test('every input schema is valid JSON Schema, accepts the example, and rejects an unknown argument', async () => {
  const ajv = formats.default(new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }));
  for (const { name, inputSchema } of await definitions({ write: true })) {
    const accepts = ajv.compile(inputSchema);
    const { args } = callsByTool[name] ?? {};
    expect(accepts(args), `${name}: ${ajv.errorsText(accepts.errors)}`).toBe(true);
    expect(accepts({ ...args, nonsense: 1 }), name).toBe(false);
    for (const required of inputSchema.required ?? []) {
      expect(accepts({ ...args, [required]: undefined }), `${name} without ${required}`).toBe(false);
    }
    // Model APIs reject these keywords at the top level.
    expect(Object.keys(inputSchema)).not.toContain('oneOf');
    expect(Object.keys(inputSchema)).not.toContain('anyOf');
    expect(Object.keys(inputSchema)).not.toContain('allOf');
    expect(name).toMatch(/^[a-z_]{1,40}$/);
  }
});

test('input schemas reject the same values as the contract', async () => {
  const ajv = formats.default(new Ajv2020({ strict: false }));
  const tools = new Map((await definitions({ write: true })).map((tool) => [tool.name, tool.inputSchema]));
  for (const id of operationIds) {
    const { query, body, parameters } = operationOf(id);
    const schema = (query ?? body) as Schema<unknown, never> | undefined;
    const accepts = ajv.compile(tools.get(toolOf(id)) ?? {});
    for (const [field, value] of Object.entries(wrong)) {
      const { [field]: _, ...payload } = Object.fromEntries(
        Object.entries(toolCalls[id].args).filter(([name]) => !parameters.includes(name)),
      );
      if (!schema || !Object.hasOwn((tools.get(toolOf(id))?.properties ?? {}) as object, field)) continue;
      const changed = { ...payload, [field]: value };
      expect(validate(schema, changed).ok, `${id} ${field} (contract)`).toBe(false);
      expect(accepts({ ...toolCalls[id].args, ...changed }), `${id} ${field} (schema)`).toBe(false);
    }
  }
});

/** Values that no operation accepts in these fields. */
const wrong: Record<string, unknown> = {
  title: 'x'.repeat(501),
  name: 'x'.repeat(181),
  key: 'x'.repeat(13),
  priority: 'urgent',
  status: 'secret',
  per_page: 201,
  position: -1,
  wip_limit: 0,
  due_at: 'tomorrow',
  board_ids: 'brd_todo',
  user_ids: [],
  archived: 'yes',
  tag_names: ['x'.repeat(51)],
};

test('the input schema of tickets_create requires either board_id or board_slug, but not both', async () => {
  const [tool] = (await definitions({ write: true })).filter(({ name }) => name === 'tickets_create');
  const accepts = formats.default(new Ajv2020({ strict: false })).compile(tool?.inputSchema ?? {});
  const args = { project: 'prj_apollo', title: 'Splashdown' };
  expect(accepts({ ...args, board_id: 'brd_todo' })).toBe(true);
  expect(accepts({ ...args, board_slug: 'to-do' })).toBe(true);
  expect(accepts(args)).toBe(false);
  expect(accepts({ ...args, board_id: 'brd_todo', board_slug: 'to-do' })).toBe(false);
});

test("a tool's annotations match its operation's method and idempotency", async () => {
  const tools = new Map((await definitions({ write: true })).map((tool) => [tool.name, tool.annotations]));
  for (const id of operationIds) {
    const { method, idempotent } = operationOf(id);
    const annotations = tools.get(toolOf(id));
    if (method === 'GET') {
      expect(annotations, id).toEqual({ readOnlyHint: true });
      continue;
    }
    const destructive = method === 'DELETE' || method === 'PATCH' || id === 'notifications.send';
    expect(annotations?.destructiveHint, id).toBe(destructive);
    expect(annotations?.idempotentHint ?? false, id).toBe(idempotent);
    expect(annotations?.readOnlyHint, id).toBeUndefined();
  }
});

test.each(scopes)('the scopes option selects only tools that require %s', async (scope) => {
  const many = scope === 'tickets:write' ? ['tickets_move_many', 'tickets_update_many'] : [];
  const ofScope = operationIds.filter((id) => operationOf(id).scope === scope).map(toolOf);
  const expected = [...ofScope, ...many];
  const tools = await definitions({ write: true, mockTools: false, scopes: [scope] });
  expect(tools.map(({ name }) => name).sort()).toEqual(expected.sort());
});
