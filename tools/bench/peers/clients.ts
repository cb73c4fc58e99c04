import ky from 'ky';
import { type Transport, Worktrack } from 'worktrack';
import { nodeTransport } from 'worktrack/node';
import { type Client, sdks } from './sdks.js';

export const fetchName = '`fetch` + `json()`';
export const withSignal = '`fetch` + `json()` and an `AbortSignal`';
export const kyName = 'plain `ky`';
export const ours = 'the client';
export const pooled = 'the client with `nodeTransport()`';
export const cheapestKy = '`ky`, calling `fetch` from a hook';
export const withoutKy = 'the client without ky';

/** The clients to compare, keyed by the name shown in the table. */
export const clients: Record<string, (url: string) => Client | Promise<Client>> = {
  [fetchName]: (url) => ({
    GET: async () => (await fetch(url + get, { headers })).json(),
    POST: async () => (await fetch(url + post, posted())).json(),
  }),
  [withSignal]: (url) => ({
    GET: async () => (await fetch(url + get, { headers, signal: newSignal() })).json(),
    POST: async () => (await fetch(url + post, { ...posted(), signal: newSignal() })).json(),
  }),
  [kyName]: (url) => ({
    GET: () => ky(url + get, { headers }).json(),
    POST: () => ky.post(url + post, { headers, json: body }).json(),
  }),
  [cheapestKy]: (url) => ({
    GET: async () =>
      (await throughKy(url, { context: { send: () => fetch(url + get, { headers }) } })).json(),
    POST: async () => (await throughKy(url, { context: { send: () => fetch(url + post, posted()) } })).json(),
  }),
  [ours]: (url) => client(url),
  [pooled]: (url) => client(url, nodeTransport()),
  [withoutKy]: (url) => client(url, overFetch),
  ...sdks,
};

function client(baseUrl: string, transport?: Transport): Client {
  const worktrack = new Worktrack({ baseUrl, token: 'wt_bench', organization: 'org_1', transport });
  return {
    GET: () => worktrack.tickets.get('tkt_1'),
    POST: () => worktrack.tickets.create('prj_1', body),
  };
}

const overFetch: Transport = async ({ url, method, headers, body, cancellation }) => {
  const response = await fetch(url, { method, headers, body: body ?? null, signal: cancellation.signal });
  return {
    status: response.status,
    headers: response.headers,
    read: async () => ({ text: await response.text() }),
    discard: () => void response.body?.cancel(),
  };
};

const newSignal = () => new AbortController().signal;

const throughKy = ky.create({
  retry: 0,
  hooks: {
    beforeRequest: [({ options: { context } }) => (context as { send: () => Promise<Response> }).send()],
  },
});

const get = '/api/v1/tickets/tkt_1';
const post = '/api/v1/projects/prj_1/tickets';
const headers = { authorization: 'Bearer wt_bench', accept: 'application/json' };
const body = { board_id: 'brd_1', title: 'Launch' };
const posted = () => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
