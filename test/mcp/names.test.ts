import { expect, test } from 'vitest';
import { connect, succeeded } from './support/connect.js';

test.each([
  ['projects_get', { project: 'apo' }, 'name: Apollo'],
  ['tickets_get', { ticket: 'APO-2' }, 'title: Radio check'],
  ['tickets_list', { project: 'Apollo', board_id: 'Doing' }, 'Guidance program'],
  [
    'tickets_create',
    { project: 'APO', board_id: 'to-do', title: 'X', assignee_ids: ['Ada'], label_ids: ['bug'] },
    'assignees: Ada (usr_ada)',
  ],
  ['tickets_update', { ticket: 'APO-2', label_ids: ['Crew'] }, 'labels: crew (lbl_crew)'],
  ['tickets_move', { ticket: 'APO-2', board_id: 'Done' }, 'board_id: brd_done'],
  ['boards_update', { board: 'APO/Doing', wip_limit: 9 }, 'wip_limit: 9'],
  [
    'documents_create',
    { title: 'X', project_id: 'APO', editor_ids: ['bob@acme.example'] },
    'editors: Bob (usr_bob)',
  ],
  ['notifications_send', { user_ids: ['Ada'], title: 'T', body: 'B' }, 'queued: 1'],
])('%s accepts names in %j', async (tool, args, shows) => {
  const { call } = await connect({ write: true, allowDestructive: true });
  expect(await call(tool, args)).toEqual(succeeded(shows));
});

test("a call with an unknown name doesn't change anything, and its error lists the existing names inside the fence", async () => {
  const { call, mock } = await connect({ write: true });
  const { text, isError } = await call('tickets_move', { ticket: 'APO-2', board_id: 'Nowhere' });
  expect(isError).toBe(true);
  expect(text).toMatch(
    /^tickets_move: "Nowhere" is not a board of this project\. Use an ID or name from this list:\n<untrusted-/,
  );
  expect(text).toContain('brd_doing | doing | Doing');
  expect(mock.requests.all().every(({ method }) => method === 'GET')).toBe(true);
});

test("an ID is sent unchanged if the credential isn't allowed to read boards", async () => {
  const { call, mock } = await connect({ write: true });
  mock.credentials.setScopes(mock.clientOptions().token, ['tickets:read', 'tickets:write']);
  const { text } = await call('tickets_move', { ticket: 'tkt_radio', board_id: 'brd_done' });
  expect(text).toContain('board_id: brd_done');
});
