// biome-ignore lint/suspicious/noExplicitAny: the responses have different formats
type Json = any;

interface Connection {
  baseUrl: string;
  token: string;
  organization: string;
  fetch: typeof fetch;
}

/** A response without the parts that differ even between servers with the same behavior. */
export interface Normalized {
  request: string;
  status: number;
  body: unknown;
}

/**
 * Sends requests that aren't part of the calibration, as a program that uses the foreign deployment would.
 * Returns the responses without IDs, times, or wording.
 */
export async function sendHiddenRequests({
  baseUrl,
  token,
  organization,
  fetch,
}: Connection): Promise<Normalized[]> {
  const results: Normalized[] = [];
  const aliases = new Map<string, string>();
  const send = async (method: string, path: string, body?: unknown, auth = token): Promise<Json> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${auth}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? undefined : JSON.parse(text);
    const shownPath = [...aliases].reduce((shown, [id, alias]) => shown.replaceAll(id, alias), path);
    results.push({
      request: `${method} ${shownPath}`,
      status: response.status,
      body: normalize(parsed, aliases, baseUrl),
    });
    return parsed;
  };
  const create = async (path: string, body: unknown): Promise<string> =>
    findId(await send('POST', path, body)) ?? 'missing';
  const org = `/organizations/${organization}`;

  await send('GET', org);
  const project = await create(`${org}/projects`, { name: 'Moon base', key: 'MOON', description: 'Dome' });
  await send('GET', `/projects/${project}`);
  await send('GET', `/projects/${project}/boards`);
  const review = await create(`/projects/${project}/boards`, { name: 'Code Review & QA' });
  await create(`/projects/${project}/boards`, { name: 'Code review, QA', color: 'teal' });
  const narrow = await create(`/projects/${project}/boards`, { name: 'Narrow', wip_limit: 3 });
  const tickets: string[] = [];
  for (const title of ['Airlock', 'Pump', 'Greenhouse', 'Antenna', 'Rover', 'Solar panel', 'Water']) {
    tickets.push(await create(`/projects/${project}/tickets`, { title, board_id: review, priority: 'high' }));
  }
  await send('POST', `/projects/${project}/tickets`, { title: 'By slug', board_slug: 'code_review_qa' });
  for (const page of [1, 2, 3, 4]) {
    await send('GET', `/projects/${project}/tickets?per_page=3&page[number]=${page}`);
  }
  await send('GET', `/projects/${project}/tickets?board_id=${review}&per_page=200`);
  await send('GET', `/projects/${project}/tickets?q=an`);
  await send('GET', `/projects/${project}/tickets?per_page=0`);
  await send('GET', `/tickets/${tickets[0]}`);
  await send('PATCH', `/tickets/${tickets[1]}`, {
    due_at: '2031-05-05T08:00:00Z',
    description_html: '<p>Leaks</p>',
  });
  await send('PATCH', `/tickets/${tickets[1]}`, { priority: 'urgent' });
  await send('POST', `/tickets/${tickets[2]}/move`, { board_id: narrow });
  await send('POST', `/tickets/${tickets[3]}/move`, { board_id: narrow, position: 0 });
  await send('POST', `/projects/${project}/tickets`, { title: 'Third', board_id: narrow });
  await send('POST', `/projects/${project}/tickets`, { title: 'Fourth', board_id: narrow });
  await send('PATCH', `/tickets/${tickets[2]}`, { archived: true });
  await send('GET', `/projects/${project}/tickets?board_id=${narrow}`);
  await send('POST', `/projects/${project}/tickets`, { title: 'Fits now', board_id: narrow });
  await send('POST', `/projects/${project}/tickets`, { title: 'Full again', board_id: narrow });
  await send('POST', `/projects/${project}/tickets`, { title: '', board_id: review });
  await send('POST', `/projects/${project}/tickets`, { title: 'Nowhere' });
  await send('POST', `/projects/${project}/tickets`, {
    title: 'Wrong',
    board_id: review,
    label_ids: ['none'],
  });
  await send('POST', `/projects/${project}/tickets`, '{"title": "Broken"');
  await send('POST', `/tickets/${tickets[4]}/comments`, { body_html: '<p>Ready</p>' });
  await send('POST', `/tickets/${tickets[4]}/comments`, {});
  await send('DELETE', `/tickets/${tickets[5]}`);
  await send('GET', `/tickets/${tickets[5]}`);
  await send('PATCH', '/boards/unknown-board', { name: 'Nobody' });
  await send('GET', '/projects/unknown-project/analytics');
  await send('DELETE', '/documents/unknown-document');
  await send('GET', org, undefined, 'wrong-token');
  await send('GET', '/organizations/other-organization/projects');
  await send('DELETE', `/boards/${review}`);
  await send('DELETE', `/boards/${review}`, { move_to_board_id: 'unknown-board' });
  await send('PUT', `/projects/${project}/boards/reorder`, { board_ids: [narrow] });
  await send('PUT', `/projects/${project}/tickets/reorder`, { board_id: review, ticket_ids: [] });
  await send('GET', `/projects/${project}/analytics`);
  await send('GET', `/projects/${project}/members`);
  await send('GET', `/projects/${project}/labels`);
  await send('GET', `/projects/${project}/tags`);
  const documents: string[] = [];
  for (const title of ['Manual', 'Charter', 'Log']) {
    const fields = { title, project_id: project, tag_names: ['crew'], status: 'published' };
    documents.push(await create(`${org}/documents`, fields));
  }
  await send('GET', `${org}/documents?per_page=2`);
  await send('GET', `${org}/documents?per_page=2&page[number]=2`);
  await send('GET', `${org}/documents?tags=crew,unknown`);
  await send('GET', `/documents/${documents[1]}`);
  await send('PATCH', `/documents/${documents[1]}`, { archived: true, caption: 'Signed' });
  await send('GET', `${org}/documents?project_id=${project}`);
  await send('POST', `${org}/documents`, { title: 'Wrong', editor_ids: ['unknown-user'] });
  await send('POST', `/documents/${documents[2]}/comments`, { body_html: '<p>Day 1</p>' });
  await send('PATCH', `/projects/${project}`, { archived: true });
  await send('GET', `${org}/projects`);
  await send('POST', `${org}/projects`, { name: 'Without a key' });
  await send('DELETE', `/projects/${project}`);
  await send('GET', `/projects/${project}/boards`);
  return results;
}

/** Finds the first record in a response. */
function findId(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (typeof value.id === 'string') return value.id;
  for (const child of Object.values(value)) {
    const id = findId(child);
    if (id !== undefined) return id;
  }
  return undefined;
}

const wording = new Set(['message', 'text', 'issue']);

function normalize(value: Json, aliases: Map<string, string>, baseUrl: string, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => normalize(item, aliases, baseUrl, name));
  if (typeof value === 'string') {
    if (wording.has(name) || name === 'errors') return '<text>';
    if (name === 'web_url') return '<string>';
    if (name.endsWith('_at')) return value.replace(/\d/g, '0');
    return value.replace(baseUrl, '').replace(/[0-9A-HJKMNP-TV-Z]{26}/g, (id) => {
      aliases.set(id, aliases.get(id) ?? `<id ${aliases.size + 1}>`);
      return aliases.get(id) as string;
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, normalize(value[key], aliases, baseUrl, name === 'errors' ? name : key)]),
  );
}
