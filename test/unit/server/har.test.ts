import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

const text = { type: 'string' };
const size = { type: 'integer', minimum: -1 };
const time = { type: 'number', minimum: 0 };
const object = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items });
const field = object({ name: text, value: text }, { comment: text });

/** The format described in the HAR 1.2 specification, without the parts that apply only to browsers. */
const har = object({
  log: object({
    version: { const: '1.2' },
    creator: object({ name: text, version: text }),
    entries: list(
      object(
        {
          startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*Z$' },
          time,
          request: object(
            {
              method: text,
              url: { type: 'string', pattern: '^https?://' },
              httpVersion: text,
              cookies: list(object({ name: text, value: text })),
              headers: list(field),
              queryString: list(field),
              headersSize: size,
              bodySize: size,
            },
            { postData: object({ mimeType: text, text }, { comment: text }) },
          ),
          response: object({
            status: { type: 'integer' },
            statusText: text,
            httpVersion: text,
            cookies: list(object({ name: text, value: text })),
            headers: list(field),
            content: object({ size, mimeType: text }, { text, encoding: text }),
            redirectURL: text,
            headersSize: size,
            bodySize: size,
          }),
          cache: { type: 'object' },
          timings: object({ send: time, wait: time, receive: time }),
        },
        { comment: text },
      ),
    ),
  }),
});

async function start() {
  const mock = createMockServer({ now: '2026-01-01T00:00:00Z' });
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch });
  const project = mock.add.project({ name: 'Apollo' }).id;
  return { mock, client, project, token: mock.clientOptions().token };
}

test('requests.toHar returns a valid HTTP Archive with requests, responses, and errors', async () => {
  const { mock, client, project } = await start();
  await client.projects.update(project, { name: 'Hermes' });
  await client.tickets.list(project, { q: 'ä b' });
  await client.projects.get('missing').catch(() => {});
  mock.faults.add({ operation: 'projects.get', status: 503, times: 1 });
  await client.projects.get(project, { retry: { limit: 0 } }).catch(() => {});
  await mock.fetch('http://worktrack.test/other');
  const archive = mock.requests.toHar();
  const validate = new Ajv().compile(har);
  expect(validate(archive), JSON.stringify(validate.errors)).toBe(true);
  expect(archive.log.entries).toHaveLength(5);
  const [update, search, missing, fault] = archive.log.entries;
  expect(update).toMatchObject({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: {
      method: 'PATCH',
      url: `http://worktrack.test/api/v1/projects/${project}`,
      postData: { mimeType: 'application/json', text: '{"name":"Hermes"}' },
      bodySize: 17,
    },
    response: { status: 200 },
  });
  expect(JSON.parse(update?.response.content.text as string)).toMatchObject({ data: { name: 'Hermes' } });
  expect(search?.request.queryString).toContainEqual({ name: 'q', value: 'ä b' });
  expect(missing?.response.status).toBe(404);
  expect(fault).toMatchObject({ response: { status: 503 }, comment: 'status 503' });
});

test('requests.toHar includes the headers that the server sent', async () => {
  const { mock, client, project } = await start();
  const html = { 'content-type': 'text/html', 'x-proxy': 'down' };
  mock.faults.add({ status: 503, retryAfter: 7, body: '<p>Down</p>', headers: html, times: 1 });
  await client.projects.get(project, { retry: { limit: 0 } }).catch(() => {});
  mock.faults.add({ error: 'connection', times: 1 });
  await client.projects.get(project, { retry: { limit: 0 } }).catch(() => {});
  await client.projects.delete(project);

  const [fault, closed, deleted] = mock.requests.toHar().log.entries.map(({ response }) => response);
  expect(fault?.headers).toEqual(
    expect.arrayContaining([
      { name: 'retry-after', value: '7' },
      { name: 'content-type', value: 'text/html' },
      { name: 'x-proxy', value: 'down' },
    ]),
  );
  expect(fault?.content).toMatchObject({ mimeType: 'text/html', text: '<p>Down</p>' });
  expect(closed).toMatchObject({ status: 0, headers: [] });
  expect(deleted?.headers).toEqual([{ name: 'x-request-id', value: 'req_000003' }]);
  expect(deleted?.content).toEqual({ size: 0, mimeType: '' });
});

test("requests.toHar never includes a token in a header, URL, or body, no matter how it's encoded", async () => {
  const { mock, client, project, token } = await start();
  const other = mock.credentials.add({ token: 'wt_other/token+with="quotes"' }).token;
  const encodings = [
    token,
    encodeURIComponent(other),
    [...token].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
    [...other].map((character) => `&#${character.charCodeAt(0)};`).join(''),
    JSON.stringify(other),
  ];
  await client.projects.update(project, { description: encodings.join(' ') });
  await client.tickets.list(project, { q: other });
  const unknown = 'unknown-token-of-another-server';
  await mock.fetch(`http://worktrack.test/api/v1/projects?token=${token}&echo=${unknown}`, {
    headers: { authorization: `Bearer ${unknown}`, cookie: `session=${token}`, 'x-copy': other },
  });
  const text = JSON.stringify(mock.requests.toHar());
  expect(text).toContain('[redacted]');
  expect(text).toContain('[hidden]');
  const decoded = [
    text,
    decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '')),
    text.replaceAll('\\', ''),
  ].join('\n');
  for (const secret of [...encodings, token, other, unknown]) expect(decoded).not.toContain(secret);
});

test('requests.toHar omits the text of bodies that the journal no longer contains', async () => {
  const { mock, client, project } = await start();
  await client.documents.create({ title: 'Long', content_html: 'x'.repeat(70_000), project_id: project });
  const [entry] = mock.requests.toHar().log.entries;
  expect(entry?.response.content).toEqual({ size: 0, mimeType: 'application/json' });
  expect(entry?.request.postData?.text.length).toBeGreaterThan(70_000);
});
