import { createMockServer } from 'worktrack/mock-server';

/** The differences from the mock server that tests turn on or off. The deployment always has many others. */
export const foreign = {
  unknownIds: true,
  wipLimits: true,
  emptyStrings: true,
  // The deployment changes in these ways after the calibration.
  positions: false,
  documentOrder: false,
  archivedDocuments: false,
  unknownFields: false,
  newField: false,
};

export type Differences = typeof foreign;

// biome-ignore lint/suspicious/noExplicitAny: the proxy passes on whatever it receives
type Json = any;

interface Result {
  status: number;
  body: Json;
}

/**
 * Creates a deployment that differs from the mock server: a proxy in front of one. It shares no code with the
 * emulation.
 */
export function createForeignDeployment(differences: Differences) {
  const mock = createMockServer();
  const { baseUrl, token, organization } = mock.clientOptions();
  const api = `${baseUrl}/api/v1`;

  async function send(
    method: string,
    url: string | URL,
    headers: HeadersInit,
    text: string,
  ): Promise<Result> {
    const response = await mock.fetch(url, { method, headers, ...(text !== '' && { body: text }) });
    const body = await response.text();
    return { status: response.status, body: body === '' ? undefined : JSON.parse(body) };
  }

  const sendAsOwner = (method: string, path: string, body?: object) =>
    send(method, api + path, { authorization: `Bearer ${token}` }, body ? JSON.stringify(body) : '');

  async function handle(request: Request): Promise<Response> {
    const { method, headers } = request;
    const url = new URL(request.url);
    const path = url.pathname.replace('/api/v1', '');
    const text = await request.text();
    const sent = parse(text);
    if (sent?.board_slug) sent.board_slug = sent.board_slug.replaceAll('_', '-');
    const target = targetOf(url);
    const forward = () => send(method, target, headers, sent === undefined ? text : JSON.stringify(sent));
    let result = rejection(method, sent, await forward());
    if (method === 'POST' && result.body?.code === 'wip_limit_reached') {
      result = await ignoreArchived(path, sent.board_id, result, forward);
    }
    if (method === 'POST' && path.endsWith('/projects') && result.status === 201) {
      for (const board of defaultBoards) mock.add.board({ project: result.body.data.id, ...board });
    }
    if (result.status === 204) return new Response(null, { status: 204 });
    if (result.status >= 400) return errorResponse(result);
    const isPage = /\/(tickets|documents)$/.test(path) && method === 'GET';
    return Response.json(isPage ? await pageBody(url, path) : recordBody(result.body.data), {
      status: result.status,
    });
  }

  function targetOf(url: URL): URL {
    const target = new URL(url);
    const page = url.searchParams.get(pageParameter);
    target.searchParams.delete('page');
    if (page !== null) target.searchParams.set('page', page);
    return target;
  }

  /**
   * If the mock server accepted a request that the deployment rejects, returns the deployment's response instead
   * and deletes the record that the request created.
   */
  function rejection(method: string, sent: Json, result: Result): Result {
    const names = Object.keys(sent ?? {});
    const field = names.find(
      (name) =>
        (differences.emptyStrings &&
          sent[name] === '' &&
          ['title', 'name', 'key', 'body_html'].includes(name)) ||
        (differences.unknownFields && name === 'unknown_field'),
    );
    if (field === undefined || result.status >= 300) return result;
    const { id, priority } = result.body.data;
    if (method === 'POST' && priority) void sendAsOwner('DELETE', `/tickets/${id}`);
    return {
      status: 422,
      body: { code: 'validation_failed', message: 'Bad input.', errors: { [field]: ['Wrong here.'] } },
    };
  }

  async function ignoreArchived(path: string, id: string, result: Result, forward: () => Promise<Result>) {
    const project = /^\/projects\/([^/]+)/.exec(path)?.[1];
    if (!differences.wipLimits || !project) return result;
    const tickets = await readAll(`/projects/${project}/tickets`, new URLSearchParams({ board_id: id }));
    const { body } = await sendAsOwner('GET', `/projects/${project}/boards`);
    const { wip_limit } = body.data.find((board: Json) => board.id === id);
    if (tickets.filter(({ archived_at }) => archived_at === null).length >= wip_limit) return result;
    await sendAsOwner('PATCH', `/boards/${id}`, { wip_limit: null });
    const accepted = await forward();
    await sendAsOwner('PATCH', `/boards/${id}`, { wip_limit });
    return accepted;
  }

  async function readAll(path: string, query: URLSearchParams): Promise<Json[]> {
    const items: Json[] = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      query.set('page', String(page));
      query.set('per_page', '200');
      const { body } = await sendAsOwner('GET', `${path}?${query}`);
      items.push(...body.data.data);
      last = body.data.last_page;
    }
    return items;
  }

  async function pageBody(url: URL, path: string): Promise<Json> {
    const isTickets = path.endsWith('/tickets');
    const all = (await readAll(path, new URLSearchParams(url.search))).filter(
      ({ archived_at }) => archived_at === null || !(isTickets || differences.archivedDocuments),
    );
    if (isTickets) all.sort((one, other) => other.number - one.number);
    else if (differences.documentOrder) all.reverse();
    const number = Number(url.searchParams.get(pageParameter) ?? 1);
    const size = Number(url.searchParams.get('per_page') ?? 50);
    const pages = Math.max(1, Math.ceil(all.length / size));
    const results = all.slice((number - 1) * size, number * size).map(adapt);
    const link = new URL(url);
    link.searchParams.set(pageParameter, String(number + 1));
    const paging = { number, size, pages, total: all.length, more: number < pages };
    return { results, paging, links: { next: number < pages ? link.href : null } };
  }

  const recordBody = (data: Json): Json => ({ ok: true, result: adapt(data) });

  function errorResponse({ status, body }: Result): Response {
    const actual = differences.unknownIds && status === 404 ? 403 : status;
    const details = Object.entries<string[]>(body.errors ?? {}).flatMap(([field, messages]) =>
      messages.map((issue) => ({ field, issue })),
    );
    const error = { kind: `E_${String(body.code).toUpperCase()}`, text: body.message, details };
    return Response.json({ ok: false, error }, { status: actual });
  }

  /** Changes a record, a list of records, or a value in a record. */
  function adapt(value: Json): Json {
    if (Array.isArray(value)) return value.map(adapt);
    if (typeof value !== 'object' || value === null) return value;
    const record = Object.fromEntries(Object.entries(value).map(([name, content]) => [name, adapt(content)]));
    changeRecord(record, value, differences);
    return record;
  }

  const fetch: typeof globalThis.fetch = (input, init) => handle(new Request(input, init));
  const wait = async (milliseconds: number) => mock.clock.advance(milliseconds);
  return { mock, options: { baseUrl, token, organization, fetch, wait } };
}

const pageParameter = 'page[number]';

const defaultBoards = [
  { name: 'Backlog' },
  { name: 'In progress', wip_limit: 5, color: 'blue' },
  { name: 'Finished', is_done: true },
];

/** Changes a record's fields, given the mock server's record. */
function changeRecord(record: Json, { id, priority, key }: Json, { newField, positions }: Differences): void {
  if ('slug' in record) record.slug = record.slug.replaceAll('-', '_');
  if (priority) {
    delete record.number;
    record.web_url = `https://app.example.com/${id}`;
    if (newField) record.estimate = 3;
  }
  if (key) delete record.organization_id;
  if (positions && typeof record.position === 'number') record.position += 1;
  for (const [name, value] of Object.entries<string | null>(record)) {
    if (name.endsWith('_at') && value !== null) record[name] = `${value.slice(0, 19)}+00:00`;
    if (value === null && id) delete record[name];
  }
}

function parse(text: string): Json {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
