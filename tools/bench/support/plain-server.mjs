// Responds with the same ticket to every path that doesn't have its own body.
import { createServer } from 'node:http';

const ticket = {
  id: 'tkt_1',
  project_id: 'prj_1',
  board_id: 'brd_1',
  number: 1,
  title: 'Launch',
  description_html: '<p>Soon</p>',
  priority: 'normal',
  position: 0,
  due_at: null,
  started_at: null,
  completed_at: null,
  api_credential_id: 'cred_1',
  creator: { type: 'api_credential', id: 'cred_1', name: 'CI bot' },
  assignees: [{ id: 'usr_1', name: 'Ada' }],
  labels: [],
  tags: [],
  archived_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const defaultBody = Buffer.from(JSON.stringify({ data: ticket }));
const pages = new Map();
process.on('message', ({ path, text }) => {
  pages.set(path, Buffer.from(text));
  process.send?.(path);
});

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const body = pages.get(request.url) ?? defaultBody;
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    response.writeHead(request.method === 'POST' ? 201 : 200, headers).end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit());
