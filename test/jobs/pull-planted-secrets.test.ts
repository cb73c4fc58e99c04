import { describe, expect, test } from 'vitest';
import { pull } from 'worktrack/jobs';
import { createMockServer } from 'worktrack/mock-server';
import { isLong } from '../properties/runs.js';
import { connectRewriting } from '../support/clients.js';

const count = isLong ? 10_000 : 1000;

/** Every secret contains the first two parts. Names and addresses also contain another part, in lowercase. */
const secretParts = [
  'smcf',
  'phiw',
  'pa\\$\\$w0rd',
  'samantha',
  'fishwick',
  'mailhost',
  'zoë',
  'émilie',
  'chesapeake',
  'шишкин',
];

/** Returns passwords, names, and addresses whose parts never appear in a replacement. */
function createSecrets() {
  let planted = 0;
  const forms = [
    (id: string) => `Pa$$w0rd-${id}`,
    (id: string) => `Samantha Fishwick${id}`,
    (id: string) => `${id}.fishwick@mailhost.example`,
    (id: string) => `Zoë-Émilie ${id}`,
    (id: string) => `17 ${id} Chesapeake Street`,
    (id: string) => `Шишкин${id}`,
  ];
  const plant = () => {
    const id = `smcf${(planted * 7919).toString(36)}phiw`;
    return forms[planted++ % forms.length]?.(id) as string;
  };
  return { plant, planted: () => planted };
}

const inHtml = (plant: () => string) => {
  const encoded = [...plant()].map((character) => `&#${character.codePointAt(0)};`).join('');
  return (
    `<p class="${plant()}" onclick="${plant()}">${plant()} <b>${plant()}</b> ${encoded}</p>` +
    `<a href="https://${plant().replace(/[^a-z]/gi, '')}.example/${encodeURIComponent(plant())}?q=${plant()}" title='${plant()}'>${plant()}</a>` +
    `<img src="${plant()}" alt="${plant()}" srcset="${plant()} 2x"><!-- ${plant()} --><script>var a = "${plant()}"</script>` +
    `<x-${plant().replace(/[^a-z]/gi, '')} data-${plant().replace(/[^a-z]/gi, '')}="1">`
  );
};

describe('pull', () => {
  test(`removes all ${count} planted secrets from the data`, async () => {
    const { plant, planted } = createSecrets();
    const slug = () => plant().replaceAll('/', '-');
    const date = '2026-03-01T10:00:00Z';
    const organization = {
      id: plant(),
      name: plant(),
      users: [1, 2].map(() => ({ id: plant(), name: plant(), email: plant(), role: 'owner' })),
      credentials: [{ id: plant(), token: 'wt_planted_token_smcf', name: plant() }],
      tags: [{ id: plant(), name: `d${plant()}` }],
    };
    const tickets = () => ({
      id: plant(),
      title: plant(),
      description_html: inHtml(plant),
      created_at: date,
      creator: planted() % 2 ? organization.users[0]?.id : organization.credentials[0]?.id,
      assignees: organization.users.map(({ id }) => id),
      labels: ['l'],
      tags: [plant(), plant()],
    });
    const projects = [];
    while (planted() < count) {
      projects.push({
        id: plant(),
        name: plant(),
        key: `K${projects.length}smcf`,
        description: plant(),
        labels: [
          { id: plant(), name: 'l', color: plant().slice(0, 32) },
          { id: plant(), name: plant() },
        ],
        tags: [{ id: plant(), name: plant() }],
        boards: [
          {
            id: plant(),
            name: plant(),
            slug: slug(),
            color: plant().slice(0, 32),
            tickets: [tickets(), tickets()],
          },
        ],
      });
    }
    const documents = projects.map(({ id }) => ({
      id: plant(),
      title: plant(),
      caption: plant(),
      content_html: inHtml(plant),
      project: id,
      author: organization.users[0]?.id,
      editors: [organization.users[1]?.id as string],
      tags: [plant().slice(0, 50)],
    }));
    const mock = createMockServer({ world: { organizations: [{ ...organization, projects, documents }] } });
    // Other deployments may return fields that aren't in the contract.
    const addFields = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(addFields);
      if (typeof value !== 'object' || value === null) return value;
      const fields = Object.entries(value).map(([name, item]) => [name, addFields(item)]);
      return {
        ...Object.fromEntries(fields),
        internal_note: plant(),
        avatar: { url: `https://a.example/${plant()}` },
      };
    };
    const client = connectRewriting(mock, (text) =>
      JSON.stringify({ data: addFields(JSON.parse(text).data) }),
    );

    const world = await pull(client, { key: 'a key for tests only' });
    const text = JSON.stringify(world);
    const copy = createMockServer({ world });
    const every = () => true;
    expect(copy.state.tickets.filter(every)).toHaveLength(mock.state.tickets.filter(every).length);
    expect(copy.state.documents.filter(every)).toHaveLength(documents.length);

    expect(planted()).toBeGreaterThan(count);
    expect(findSecrets(text)).toEqual([]);
    expect(text).not.toContain('planted_token');
    // Make sure that the scan can find parts of secrets in every encoding.
    for (const part of ['Zoë-Émilie', 'Шишкин', '17 SMCF1']) {
      const encodings = [
        part.toUpperCase(),
        encodeURIComponent(part),
        [...part].map((c) => `&#x${c.codePointAt(0)?.toString(16)};`).join(''),
      ];
      for (const encoded of encodings) expect(findSecrets(encoded)).not.toEqual([]);
    }
  });
});

/** Returns the parts of secrets that a string contains. */
const findSecrets = (text: string) =>
  formsOf(text).flatMap((form) => form.match(new RegExp(secretParts.join('|'), 'g')) ?? []);

/** Returns the forms in which a browser could display a string, in lowercase. */
function formsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const references = lower.replace(/&#(x?)([\da-f]+);/g, (_, base, digits) =>
    String.fromCodePoint(Number.parseInt(digits, base ? 16 : 10) % 0x110000).toLowerCase(),
  );
  const percent = references.replace(/(?:%[\da-f]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString().toLowerCase(),
  );
  return [lower, references, percent, percent.replace(/<[^>]*>/g, '')];
}
