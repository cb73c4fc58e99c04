import ky from 'ky';
import { type ClientOptions, Worktrack } from 'worktrack';
import { nodeFetch } from 'worktrack/node';
import { type Client, sdks } from './sdks.js';

export const fetchName = '`fetch` + `json()`';
export const withSignal = '`fetch` + `json()` and an `AbortSignal`';
export const kyName = 'plain `ky`';
export const ours = 'the client';
export const pooled = 'the client with `nodeFetch()`';
export const cheapestKy = '`ky`, calling `fetch` from a hook';

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
  [pooled]: (url) => client(url, { fetch: nodeFetch() }),
  ...sdks,
};

function client(baseUrl: string, options: ClientOptions = {}): Client {
  const worktrack = new Worktrack({ baseUrl, token: 'wt_bench', organization: 'org_1', ...options });
  return {
    GET: () => worktrack.tickets.get('tkt_1'),
    POST: () => worktrack.tickets.create('prj_1', body),
  };
}

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
