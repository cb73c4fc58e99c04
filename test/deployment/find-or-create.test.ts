import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Failure } from './support/deployment.js';
import type { Settings } from './support/records.js';
import { lost, setUp } from './support/set-up.js';
import '../support/shorten-waits.mjs';

/** Like HTMLPurifier, removes comments, attributes, and invisible elements. */
const purify = (html: string) =>
  html
    .replace(/<!--.*?-->/gs, '')
    .replace(/<(\w+)\s[^>]*>/g, '<$1>')
    .replace(/<(script|style|template)>.*?<\/\1>/gs, '');

it.each<[string, Partial<Settings>]>([
  ['behaves normally', {}],
  ['searches only titles', { searchesHtml: false }],
  ['removes hidden markup', { cleanHtml: purify }],
  ['removes all tags', { cleanHtml: (html) => html.replace(/<[^<>]*>/g, '') }],
  [
    'encodes punctuation',
    { cleanHtml: (html) => html.replace(/[[\]:.]/g, (it) => `&#${it.charCodeAt(0)};`) },
  ],
  [
    'wraps and indents HTML',
    { cleanHtml: (html) => `<div>\n  ${html.replaceAll('><', '>\n  <')}\n</div>\n` },
  ],
  ['lists new tickets late', { listLag: 20 }],
  ['lists the latest tickets first', { order: 'created' }],
])('findOrCreate creates one ticket per key despite lost responses if the server %s', async (_, settings) => {
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
