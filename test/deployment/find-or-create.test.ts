import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WorktrackError } from 'worktrack';
import type { Failure } from './support/deployment.js';
import { credential, type Settings } from './support/records.js';
import { lost, reset, setUp } from './support/set-up.js';
import '../support/shorten-waits.mjs';

/** Like HTMLPurifier, removes comments, attributes, and invisible elements. */
const purify = (html: string) =>
  html
    .replace(/<!--.*?-->/gs, '')
    .replace(/<(\w+)\s[^>]*>/g, '<$1>')
    .replace(/<(script|style|template)>.*?<\/\1>/gs, '');

/** Calls a function until it succeeds, like a job that is retried after every error. */
async function untilDone<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof WorktrackError) || error.code === 'configuration') throw error;
    }
  }
}

describe('findOrCreate', () => {
  it.each<[string, Partial<Settings>]>([
    ['behaves normally', {}],
    ['searches only titles', { searchesHtml: false }],
    ['removes hidden markup', { cleanHtml: purify }],
    ['lists new tickets late', { listLag: 20 }],
    ['lists the latest tickets first', { order: 'created' }],
  ])('creates one ticket per key despite lost responses if the server %s', async (_, settings) => {
    const { deployment, records, client, project, board } = await setUp(settings);
    const failures: (Failure | undefined)[] = [lost, { processed: true, status: 502 }, undefined];
    deployment.intercept = async ({ operation, count }) =>
      operation === 'tickets.create' ? failures[count % failures.length] : undefined;
    const body = { board_id: board, title: 'Contact form', description_html: '<p>Hello</p>' };
    const submit = (form: number) => client.tickets.findOrCreate(project, body, { key: `form ${form}` });
    const forms = [1, 2, 3, 11, 12];
    const first = await Promise.all(forms.map(submit));
    // Wait until the server lists the tickets, because they can't be found before then.
    await setTimeout(2 * (settings.listLag ?? 0));
    const second = await Promise.all(forms.map(submit));
    expect(records.tickets.size).toBe(forms.length);
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  });

  it('creates only one ticket even if the caller retries after every error', async () => {
    const { deployment, records, client, project, board } = await setUp();
    const failures: (Failure | undefined)[] = [reset, lost];
    deployment.intercept = async ({ operation, count }) =>
      operation === 'tickets.create' ? failures[count - 1] : undefined;
    const body = { board_id: board, title: 'Contact form' };
    const found = await untilDone(() => client.tickets.findOrCreate(project, body, { key: 'form-1' }));
    expect([...records.tickets.keys()]).toEqual([found.id]);
  });

  it('finds a ticket even if other users move and delete tickets during the search', async () => {
    const { deployment, records, client, project, board } = await setUp();
    const old = Array.from({ length: 450 }, (_, index) =>
      deployment.addTicketByHand(project, { board_id: board, title: `Deploy ${index}` }),
    );
    const { id } = records.addTicket(project, { board_id: board, title: 'Deploy' }, credential);
    deployment.intercept = async ({ query }) => {
      // The ticket moves from the next page to the page that was just read.
      if (query.page === '3')
        for (let index = 0; index < 60; index++) records.deleteTicket(old.pop()?.id ?? '');
      return undefined;
    };
    const body = { board_id: board, title: 'Deploy' };
    const found = await client.tickets.findOrCreate(project, body, {
      q: 'Deploy',
      match: ({ title }) => title === 'Deploy',
    });
    expect(found.id).toBe(id);
  });

  it('creates only one document per key even if responses are lost', async () => {
    const { deployment, records, client } = await setUp({ cleanHtml: purify });
    deployment.intercept = async ({ operation }) => (operation === 'documents.create' ? lost : undefined);
    const publish = () =>
      client.documents.findOrCreate({ title: 'Release notes', status: 'published' }, { key: 'v1.2.0' });
    const [one, other] = [await publish(), await publish()];
    expect(other.id).toBe(one.id);
    expect(records.documents.size).toBe(1);
  });
});
