import { type OperationId, operationOf } from 'worktrack/contract';
import type { Defect, Exchange, Json } from './defects.js';

/** A request that a rule sent to a correct deployment, and the response. */
export interface RecordedExchange extends Exchange {
  status: number;
  /** The data in the response; undefined for an error. */
  data: Json;
}

/**
 * From the requests that a rule sends, generates the ways in which a deployment can violate the rule. The
 * deployment accepts what it should reject, rejects what it should accept, does nothing, ignores a field, or
 * returns a wrong value or list. Breaks only reads and calls to the rule's operation, because the other calls
 * prepare records.
 */
export function* generateDefects(
  operation: OperationId,
  exchanges: readonly RecordedExchange[],
): Generator<[name: string, Defect]> {
  for (const exchange of exchanges) {
    const { method } = operationOf(exchange.operation);
    if (exchange.operation !== operation && method !== 'GET') continue;
    for (const [name, respond] of responses(exchange)) {
      yield [
        `${exchange.operation === operation ? '' : `${exchange.operation} `}${exchange.nth} ${name}`,
        (received) =>
          received.operation === exchange.operation && received.nth === exchange.nth
            ? respond(received)
            : undefined,
      ];
    }
  }
}

type Respond = (exchange: Exchange) => Promise<Response>;

function* responses(exchange: RecordedExchange): Generator<[name: string, Respond]> {
  const { operation, status, data, body = {}, query, token } = exchange;
  const success = operationOf(operation).status;
  if (status >= 400) {
    yield ['succeeds', async () => send(success, { id: 'unknown' })];
    yield ['fails differently', async () => send(status === 422 ? 409 : 422)];
    if (status === 403) yield ['fails with 404', async () => send(404)];
  } else {
    yield ['fails', async () => send(422)];
    yield ['has another status', async () => send(status === 204 ? 200 : 204, { id: 'unknown' })];
    yield ['does nothing', async () => send(status, data)];
    yield* wrongData(data);
  }
  if (status === 401) {
    yield ['accepts any token', ({ send }) => send(token ? { token: 'wt_all' } : {})];
    yield ['accepts no token', ({ send }) => send(token ? {} : { token: 'wt_all' })];
  }
  if (status === 403) yield ['ignores the credential', ({ send }) => send({ token: 'wt_all' })];
  for (const [field, value] of Object.entries({ ...query, ...body })) {
    yield [`ignores ${field}`, ({ send }) => send({ fields: ({ [field]: _, ...rest }) => rest })];
    if (Array.isArray(value) && value.length > 0) {
      const shorter = value.slice(0, -1);
      yield [
        `ignores the last of ${field}`,
        ({ send }) => send({ fields: (all) => ({ ...all, [field]: shorter }) }),
      ];
    }
    if (typeof value === 'string' && status < 300 && value.length > 100) {
      yield [
        `measures ${field} in bytes`,
        async ({ send: forward }) => (Buffer.byteLength(value) > value.length ? send(422) : forward()),
      ];
    }
  }
}

/** Changes the data of a successful response: each field, or the items of a list. */
function* wrongData(data: Json): Generator<[name: string, Respond]> {
  const change =
    (edit: (data: Json) => unknown): Respond =>
    async (exchange) => {
      const response = await exchange.send();
      return response.ok && response.status !== 204
        ? send(response.status, edit((await response.json()).data))
        : response;
    };
  if (typeof data !== 'object' || data === null) return;
  yield ['returns no record or list', change(() => ({}))];
  const items: Json[] | undefined = Array.isArray(data) ? data : data.data;
  if (Array.isArray(items)) {
    const withItems = (edit: (items: Json[]) => unknown) =>
      change((current) =>
        Array.isArray(current) ? edit(current) : { ...current, data: edit(current.data) },
      );
    yield [
      'returns another item',
      withItems((list) => [...list, { ...list[0], id: 'another', role: 'guest' }]),
    ];
    if (items.length > 0) {
      yield ['returns no items', withItems(() => [])];
      yield ['omits the first item', withItems((list) => list.slice(1))];
      yield ['omits the last item', withItems((list) => list.slice(0, -1))];
    }
    if (items.length > 1) yield ['reverses the items', withItems((list) => list.toReversed())];
  }
  // Rules that send long strings check only the status.
  if (Array.isArray(data) || JSON.stringify(data).length > 10_000) return;
  for (const [field, value] of Object.entries(data)) {
    if (value === items) continue;
    yield [`returns a wrong ${field}`, change((record) => ({ ...record, [field]: wrongValue(value) }))];
    if (isDate(value) || (typeof value === 'object' && value !== null)) {
      yield [`returns null for ${field}`, change((record) => ({ ...record, [field]: null }))];
    }
  }
}

/** Returns another value of the same type, or a date for null. */
function wrongValue(value: Json): Json {
  if (value === null) return '2030-01-01T00:00:00Z';
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return isDate(value) ? '2031-01-01T00:00:00Z' : 'wrong';
  if (Array.isArray(value)) return value.length > 0 ? [...value, value[0]] : [{ id: 'wrong', name: 'wrong' }];
  return { ...value, name: null };
}

const isDate = (value: Json) => typeof value === 'string' && /^\d{4}-/.test(value);

const send = (status: number, data?: Json): Response =>
  status === 204 ? new Response(null, { status }) : Response.json({ data }, { status });
