import { describe, expect, it } from 'vitest';
import { NotFoundError, Worktrack } from 'worktrack';
import { getOrUndefined, readMarks, readRecords } from '../../addons/jobs/reader.js';
import { addMark } from '../../src/mark.js';
import { credential } from './support/records.js';
import { setUp } from './support/set-up.js';

/** Starts a deployment with tickets of which every third has a mark of Jira, and every third one of `findOrCreate`. */
async function setUpMarked(size: number, settings?: Parameters<typeof setUp>[0]) {
  const setting = await setUp(settings);
  const { records, project, board } = setting;
  const sources = ['Jira', undefined];
  const add = (key: string, source?: string) =>
    records.addTicket(
      project,
      {
        board_id: board,
        title: 'Ticket',
        description_html: addMark('<p>Text</p>', { kind: 'ticket', source, key }),
      },
      credential,
    ).id;
  const ids = Array.from({ length: size }, (_, index) =>
    index % 3 < 2
      ? add(`KEY-${index}`, sources[index % 3])
      : records.addTicket(project, { board_id: board, title: 'Ticket', description_html: null }, credential)
          .id,
  );
  return { ...setting, ids, add, scope: { kind: 'ticket', project } as const };
}

/** A client of a server that leaves descriptions out of lists. */
const withoutHtml = (options: ConstructorParameters<typeof Worktrack>[0]) =>
  new Worktrack({
    ...(options as object),
    logLevel: 'off',
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (!/\/tickets\?/.test(`${input}`)) return response;
      const body = await response.json();
      for (const item of body.data) delete item.description_html;
      return Response.json(body, { headers: response.headers });
    },
  });

describe('readMarks', () => {
  it('returns the IDs of the records with a mark of the source, by key', async () => {
    const { client, scope, ids, deployment } = await setUpMarked(450);
    const { byKey } = await readMarks(client, scope, { source: 'Jira' });
    expect([...byKey]).toEqual(ids.flatMap((id, index) => (index % 3 === 0 ? [[`KEY-${index}`, [id]]] : [])));
    expect(deployment.requests('tickets.get')).toBe(0);
    const { byKey: own } = await readMarks(client, scope, { source: undefined });
    expect(own.size).toBe(150);
    expect(own.get('KEY-1')).toEqual([ids[1]]);
  });

  it('returns all records with the same key, oldest first', async () => {
    const { client, scope, ids, records, add } = await setUpMarked(3, { order: 'created' });
    const again = [add('KEY-0', 'Jira'), add('KEY-0', 'Jira')];
    for (const [index, id] of [ids[0] as string, ...again].entries()) {
      const ticket = records.tickets.get(id);
      if (ticket) ticket.created_at = `2026-01-0${index + 1}T00:00:00.000000Z`;
    }
    const { byKey } = await readMarks(client, scope, { source: 'Jira' });
    expect([...byKey]).toEqual([['KEY-0', [ids[0], ...again]]]);
  });

  it('reads records by ID, eight at a time, if lists leave the HTML out', async () => {
    const { deployment, scope, ids, records } = await setUpMarked(60);
    const client = withoutHtml(deployment.client);
    let active = 0;
    let most = 0;
    deployment.intercept = async ({ operation }) => {
      if (operation !== 'tickets.get') return undefined;
      most = Math.max(most, ++active);
      await new Promise((resolve) => setTimeout(resolve, 5));
      active--;
      // A colleague deletes a record that the list contained.
      if (most === 8) records.tickets.has(ids[59] as string) && records.deleteTicket(ids[59] as string);
      return undefined;
    };
    const { byKey } = await readMarks(client, scope, { source: 'Jira' });
    expect(byKey.size).toBe(20);
    expect(deployment.requests('tickets.get')).toBe(60);
    // How many requests overlap depends on the machine's load.
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  it('fails without further requests if a record can’t be read', async () => {
    const { deployment, scope } = await setUpMarked(60);
    const client = withoutHtml({ ...deployment.client, retry: 0 });
    deployment.intercept = async ({ operation }) =>
      operation === 'tickets.get' ? { processed: false, status: 403 } : undefined;
    await expect(readMarks(client, scope, { source: 'Jira' })).rejects.toMatchObject({ status: 403 });
    expect(deployment.requests('tickets.get')).toBeLessThanOrEqual(16);
  });

  it('stops when its signal is aborted', async () => {
    const { client, scope } = await setUpMarked(1);
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(readMarks(client, scope, { source: 'Jira', signal })).rejects.toMatchObject({
      name: 'RequestAbortedError',
    });
  });
});

describe('readRecords', () => {
  it('yields every record once, including archived ones', async () => {
    const { client, scope, ids, records } = await setUpMarked(450);
    records.updateTicket(ids[7] as string, { archived: true });
    const found: string[] = [];
    for await (const { id } of readRecords(client, scope)) found.push(id);
    expect(found).toEqual(ids);
  });
});

describe('getOrUndefined', () => {
  it('returns the record, or undefined only if it doesn’t exist', async () => {
    const { client, ids, deployment } = await setUpMarked(1);
    await expect(getOrUndefined(client, 'ticket', ids[0] as string)).resolves.toMatchObject({ id: ids[0] });
    await expect(getOrUndefined(client, 'ticket', 'ticket-0')).resolves.toBeUndefined();
    await expect(client.tickets.get('ticket-0')).rejects.toThrow(NotFoundError);
    deployment.intercept = async () => ({ processed: false, status: 403 });
    await expect(getOrUndefined(client, 'ticket', ids[0] as string)).rejects.toMatchObject({ status: 403 });
  });
});
