import { describe, expect, it } from 'vitest';
import { memoryBook, type SyncedRow, syncTickets } from 'worktrack/jobs';
import type { Body } from './support/records.js';
import { setUp } from './support/set-up.js';

interface Normalization {
  /** What a row sets at first, and after it changed. */
  values: [Body, Body];
  /** Returns the fields that the server stores. */
  normalize(fields: Body): Body;
  /** What a person sets in the tracker. */
  edit: Body;
}

/** Changes the HTML that's stored. */
function html(
  change: (html: string) => string,
  first: string,
  second = `${first}<p>Refuel</p>`,
): Normalization {
  return {
    values: [{ description_html: first }, { description_html: second }],
    normalize: on('description_html', (value) => change(String(value))),
    edit: { description_html: '<p>Edited by Ada</p>' },
  };
}

function title(change: (title: string) => string, first: string, second: string): Normalization {
  const edit = { title: 'Edited by Ada' };
  return {
    values: [{ title: first }, { title: second }],
    normalize: on('title', (value) => change(`${value}`)),
    edit,
  };
}

function due(change: (time: Date) => string): Normalization {
  return {
    values: [{ due_at: '2026-12-31T10:42:17.250Z' }, { due_at: '2027-01-31T09:15:30Z' }],
    normalize: on('due_at', (value) => change(new Date(`${value}`))),
    edit: { due_at: '2028-02-29T00:00:00Z' },
  };
}

function labels(change: (ids: string[]) => string[]): Normalization {
  return {
    values: [{ label_ids: ['lbl_3', 'lbl_1', 'lbl_2'] }, { label_ids: ['lbl_4', 'lbl_3', 'lbl_2'] }],
    normalize: ({ label_ids, ...fields }) =>
      Array.isArray(label_ids)
        ? { ...fields, labels: change(label_ids).map((id) => ({ id, name: id, color: null })) }
        : fields,
    edit: { label_ids: ['lbl_9'] },
  };
}

const on =
  (name: string, change: (value: unknown) => unknown) =>
  (fields: Body): Body =>
    fields[name] === undefined || fields[name] === null
      ? fields
      : { ...fields, [name]: change(fields[name]) };

let ids = 0;
const normalizations: Record<string, Normalization> = {
  'removes scripts': html(
    (text) => text.replace(/<script>.*?<\/script>/g, ''),
    '<p>Fuel</p><script>alert(1)</script>',
    '<p>Fuel it</p><script>alert(2)</script>',
  ),
  'encodes é as &eacute;': html((text) => text.replaceAll('é', '&eacute;'), '<p>Café</p>'),
  'encodes é as &#233;': html((text) => text.replaceAll('é', '&#233;'), '<p>Café</p>'),
  'decodes references': html((text) => text.replaceAll('&eacute;', 'é'), '<p>Caf&eacute;</p>'),
  'reorders attributes': html(
    (text) => text.replace(/<a (\S+) (\S+)>/g, '<a $2 $1>'),
    '<p><a href="https://a.example" title="A">A</a></p>',
  ),
  'changes the quotes of attributes': html(
    (text) => text.replaceAll("'", '"'),
    "<p><a href='https://a.example'>A</a></p>",
  ),
  'removes classes': html((text) => text.replace(/ class="[^"]*"/g, ''), '<p class="lead">Fuel</p>'),
  'lowercases elements': html(
    (text) => text.replace(/<\/?[A-Z]+/g, (tag) => tag.toLowerCase()),
    '<P>Fuel <B>it</B></P>',
  ),
  'trims the text': html((text) => text.trim(), '  <p>Fuel</p>'),
  'adds a line break at the end': html((text) => `${text.trimEnd()}\n`, '<p>Fuel</p>'),
  'wraps the text in an element': html(
    (text) => (text.startsWith('<div>') ? text : `<div>${text}</div>`),
    '<p>Fuel</p>',
  ),
  'folds spaces': html((text) => text.replace(/\s+/g, ' '), '<p>Fuel   the\n\nrocket</p>'),
  'changes line endings': html((text) => text.replaceAll('\n', '\r\n'), '<p>Fuel\nit</p>'),
  'removes comments': html((text) => text.replace(/<!--.*?-->/g, ''), '<!-- x --><p>Fuel</p>'),
  'writes <br> as <br />': html((text) => text.replaceAll('<br>', '<br />'), '<p>Fuel<br>it</p>'),
  'adds rel to links': html(
    (text) => text.replace(/<a href/g, '<a rel="nofollow" href'),
    '<p><a href="https://a.example">A</a></p>',
  ),
  'unwraps unknown elements': html((text) => text.replace(/<\/?x-\w+>/g, ''), '<p><x-a>Fuel</x-a></p>'),
  'adds a new random attribute to each paragraph': html(
    (text) => text.replace(/<p( data-id="\d+")?>/g, () => `<p data-id="${++ids}">`),
    '<p>Fuel</p>',
  ),
  'replaces no-break spaces': html((text) => text.replace(/&nbsp;/g, ' '), '<p>Fuel&nbsp;it</p>'),
  'trims titles': title((text) => text.trim(), '  Fuel ', '  Fuel it '),
  'folds spaces in titles': title((text) => text.replace(/\s+/g, ' '), 'Fuel   it', 'Fuel   it  now'),
  'capitalizes titles': title((text) => text.charAt(0).toUpperCase() + text.slice(1), 'fuel', 'refuel'),
  'shortens titles': title((text) => text.slice(0, 20), `Fuel ${'x'.repeat(80)}`, `Refuel ${'x'.repeat(80)}`),
  'removes tags from titles': title((text) => text.replace(/<[^>]*>/g, ''), 'Vec<T>', 'Vector<T>'),
  'composes characters in titles': title((text) => text.normalize('NFC'), 'Cafe\u0301', 'The cafe\u0301'),
  'rounds due dates to the minute': due((time) => new Date(Math.round(+time / 60e3) * 60e3).toISOString()),
  'cuts due dates to the day': due((time) => `${time.toISOString().slice(0, 10)}T00:00:00Z`),
  'moves due dates to the end of the day': due((time) => `${time.toISOString().slice(0, 10)}T23:59:59Z`),
  'returns due dates in another time zone': due((time) =>
    new Date(+time + 3_600_000).toISOString().replace(/\.\d+Z/, '+01:00'),
  ),
  'maps priorities': {
    values: [{ priority: 'highest' }, { priority: 'lowest' }],
    normalize: on('priority', (value) => ({ highest: 'high', lowest: 'low' })[`${value}`] ?? value),
    edit: { priority: 'critical' },
  },
  'sorts labels': labels((list) => [...list].sort()),
  'keeps at most two labels': labels((list) => list.slice(0, 2)),
};

/** Starts a deployment that normalizes fields, and syncs one row with it. */
async function start(normalize: Normalization['normalize']) {
  const setting = await setUp({ normalize });
  const { client, project, board, records, deployment } = setting;
  const book = memoryBook();
  const sync = async (values: Body) => {
    const written = () => deployment.requests('tickets.update') + deployment.requests('tickets.move');
    const before = written();
    const { created, updated, unchanged, conflicts, ignoredRows, failed } = await syncTickets({
      ...{ client, project, book, source: 'Jira', rows: [values], key: () => 'r1' },
      toTicket: (row) => ({ board_id: board, title: 'Fuel', ...row }),
      settleDelay: 0,
    });
    const ignored = ignoredRows.flatMap(({ fields }: SyncedRow) => fields ?? []);
    return { created, updated, unchanged, conflicts, failed, ignored, writes: written() - before };
  };
  const ticket = () => {
    const [found] = records.tickets.values();
    return found as NonNullable<typeof found>;
  };
  return { sync, records, ticket };
}

const nothing = { created: 0, updated: 0, conflicts: 0, failed: 0, ignored: [], writes: 0 };

describe('a sync with a deployment that', () => {
  it.each(Object.entries(normalizations))(
    '%s settles, and sees what people edit',
    async (_, normalization) => {
      const { values, normalize, edit } = normalization;
      const [first, second] = values;
      const { sync, records, ticket } = await start(normalize);
      expect(await sync(first)).toMatchObject({ ...nothing, created: 1 });
      expect(await sync(first)).toEqual({ ...nothing, unchanged: 1 });

      expect(await sync(second)).toEqual({ ...nothing, updated: 1, unchanged: 0, writes: 1 });
      const stored = { ...ticket() };
      expect(await sync(second)).toEqual({ ...nothing, unchanged: 1 });
      expect(ticket()).toEqual(stored);

      records.updateTicket(ticket().id, edit);
      const edited = { ...ticket() };
      expect(edited).not.toEqual(stored);
      expect(await sync(second)).toEqual({ ...nothing, unchanged: 1 });
      expect(await sync(first)).toEqual({ ...nothing, conflicts: 1, unchanged: 0 });
      expect(ticket()).toEqual(edited);
    },
  );

  it.each<[string, Body, Body, Normalization['normalize']]>([
    ['priority', { priority: 'high' }, { priority: 'low' }, on('priority', () => 'normal')],
    ['label_ids', { label_ids: ['a'] }, { label_ids: ['b'] }, ({ label_ids: _, ...fields }) => fields],
    [
      'due_at',
      { due_at: '2026-12-31T10:00:00Z' },
      { due_at: '2026-12-30T10:00:00Z' },
      on('due_at', () => null),
    ],
  ])(
    'ignores %s gets each value once, and each is reported once',
    async (field, first, second, normalize) => {
      const { sync } = await start(normalize);
      expect(await sync(first)).toMatchObject({ created: 1, ignored: [field] });
      expect(await sync(first)).toEqual({ ...nothing, unchanged: 1 });
      expect(await sync(second)).toMatchObject({ updated: 0, conflicts: 0, ignored: [field], writes: 1 });
      expect(await sync(second)).toEqual({ ...nothing, unchanged: 1 });
    },
  );
});
