import { expect, test } from 'vitest';
import { Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';
import { toCurl, toSdkCall, toVitestTest } from '../../addons/console/app/snippets/snippets.js';
import { runWords } from '../unit/cli/support/run.js';

/** A string that would set a terminal's title, end a bracketed paste, move the cursor, and reverse the text. */
const attack = '\x1b]0;owned\x07\x1b[201~\u009b2J\x08\x7f\u202e\u2066';

/** Matches characters that a terminal acts on. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to look for
const dangerous = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Creates a server that contains the attack in every string that it stores. */
function hostileServer() {
  const text = (name: string) => `${name}${attack}`;
  const mock = createMockServer({
    world: {
      organizations: [
        {
          name: text('Acme'),
          users: [{ id: 'usr_1', name: text('Ada'), email: 'ada@acme.test' }],
          credentials: [{ token: 'wt_hostile', name: text('CI'), scopes: ['*'] }],
          projects: [
            {
              id: 'prj_1',
              name: text('Apollo'),
              key: 'APO',
              description: text('d'),
              members: ['usr_1'],
              labels: [{ id: 'lbl_1', name: text('Urgent'), color: text('red') }],
              boards: [
                {
                  id: 'brd_1',
                  name: text('To do'),
                  slug: 'to-do',
                  color: text('red').slice(0, 30),
                  tickets: [
                    {
                      id: 'tkt_1',
                      title: text('Launch'),
                      description_html: text('<p>'),
                      tags: [text('tag')],
                      labels: ['lbl_1'],
                      assignees: ['usr_1'],
                    },
                  ],
                },
              ],
            },
          ],
          documents: [
            {
              id: 'doc_1',
              title: text('Doc'),
              caption: text('c'),
              content_html: text('<p>'),
              tags: [text('tag')],
            },
          ],
        },
      ],
    },
  });
  const client = new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch, retry: { limit: 0 } });
  return { mock, client };
}

test.each([
  ['projects list'],
  ['projects get prj_1'],
  ['projects members list prj_1'],
  ['projects labels list prj_1'],
  ['projects tags list prj_1'],
  ['boards list prj_1'],
  ['tickets list prj_1'],
  ['tickets get tkt_1'],
  ['documents list'],
  ['documents get doc_1'],
  ['organization get'],
  ['tickets get tkt_1 --json'],
  [`tickets get x${attack}`],
  [`tickets update tkt_1 --title ${attack.repeat(100)}`],
  [`boards create prj_1 --name ${attack} --data {"x${attack}":1}`],
])('worktrack never prints control characters from stored strings (command %#)', async (line) => {
  const { mock } = hostileServer();
  for (const isTerminal of [true, false]) {
    const { output, errors } = await runWords(line.split(' '), {
      client: { ...mock.clientOptions(), fetch: mock.fetch },
      terminal: isTerminal,
    });
    expect(output + errors).not.toBe('');
    expect(dangerous.exec(output + errors)?.[0]).toBeUndefined();
  }
});

test('errors, assertion messages, and snippets contain no control characters from stored strings', async () => {
  const { mock, client } = hostileServer();
  const failures = await Promise.all(
    [
      client.tickets.get(`x${attack}`),
      client.tickets.update('tkt_1', { [`x${attack}`]: 1 } as never),
      client.tickets.update('tkt_1', { board_id: attack } as never),
      client.tickets.create('prj_1', { title: 'T', board_id: attack }),
      client.tickets.create('prj_1', { title: 'T', board_id: 'brd_1', assignee_ids: [attack] }),
    ].map((call) =>
      call.then(
        () => '',
        (error: Error) => error.message,
      ),
    ),
  );
  const { baseUrl } = mock.clientOptions();
  await mock.fetch(`${baseUrl}/api/v1/tickets/tkt_1`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer wt_hostile', 'x-odd': 'x\u0085' },
    body: JSON.stringify({ [attack]: attack, title: [attack] }),
  });
  const entry = JSON.parse(JSON.stringify(mock.requests.last()));
  const messages = [
    ...failures,
    mock.requests.describeMiss('tickets.update', { status: 200, body: { title: attack } as never }),
    mock.requests.describeMiss('tickets.delete'),
    toCurl(entry),
    toSdkCall(entry),
    toVitestTest(entry),
  ];
  for (const message of messages) expect(dangerous.exec(message ?? '')?.[0], message).toBeUndefined();
});
