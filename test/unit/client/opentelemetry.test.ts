import { propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, it, onTestFinished } from 'vitest';
import { Worktrack } from 'worktrack';
import { openTelemetry } from 'worktrack/opentelemetry';
import { errorOf, json, secret, serve } from './support/serve.js';

/** Creates a tracer and a function that returns its finished spans. */
function tracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { tracer: provider.getTracer('test'), spans: () => exporter.getFinishedSpans() };
}

it('openTelemetry creates one client span per attempt, following the HTTP semantic conventions', async () => {
  const { client, origin } = await serve((out, _, index) =>
    json(out, index ? 200 : 503, { data: {} }, { 'x-request-id': `req_${index}` }),
  );
  const { tracer, spans } = tracing();
  await client({ hooks: openTelemetry({ tracer }) }).tickets.move('tkt_1', { board_id: 'b' });
  const { hostname, port } = new URL(origin);
  const common = {
    'http.request.method': 'POST',
    'url.full': `${origin}/api/v1/tickets/tkt_1/move`,
    'url.template': '/tickets/{ticket}/move',
    'server.address': hostname,
    'server.port': Number(port),
    'worktrack.operation': 'tickets.move',
    'worktrack.organization': 'org_acme',
  };
  expect(
    spans().map(({ name, kind, attributes, status }) => ({ name, kind, attributes, code: status.code })),
  ).toEqual([
    {
      name: 'POST /tickets/{ticket}/move',
      kind: SpanKind.CLIENT,
      attributes: {
        ...common,
        'http.response.status_code': 503,
        'worktrack.request_id': 'req_0',
        'error.type': '503',
      },
      code: SpanStatusCode.ERROR,
    },
    {
      name: 'POST /tickets/{ticket}/move',
      kind: SpanKind.CLIENT,
      attributes: {
        ...common,
        'http.response.status_code': 200,
        'worktrack.request_id': 'req_1',
        'http.request.resend_count': 1,
      },
      code: SpanStatusCode.UNSET,
    },
  ]);
});

it("openTelemetry ends the span with an error if an attempt doesn't get a response", async () => {
  const { client } = await serve((out) => out.destroy());
  const { tracer, spans } = tracing();
  await errorOf(
    client({ hooks: openTelemetry({ tracer }), retry: { limit: 1, maxDelay: 1 } }).tickets.get('t'),
  );
  expect(spans().map(({ attributes, status }) => [attributes['error.type'], status.code])).toEqual([
    ['ConnectionError', SpanStatusCode.ERROR],
    ['ConnectionError', SpanStatusCode.ERROR],
  ]);
});

it.each([
  ["that isn't JSON", 'not JSON', {}],
  ['without data', '{}', {}],
  ['that is too long', '{"data":{}}', { maxResponseBytes: 5 }],
])('openTelemetry records an error for a successful response %s', async (_, body, options) => {
  const { client } = await serve((out) => out.end(body));
  const { tracer, spans } = tracing();
  await errorOf(client({ hooks: openTelemetry({ tracer }), ...options }).tickets.get('t'));
  expect(spans().map(({ attributes, status }) => [attributes, status])).toEqual([
    [
      expect.objectContaining({ 'http.response.status_code': 200, 'error.type': 'InvalidResponseError' }),
      { code: SpanStatusCode.ERROR, message: expect.stringContaining('tickets.get') },
    ],
  ]);
});

it("openTelemetry doesn't record credentials, bodies, or filters", async () => {
  const { client } = await serve((out) => json(out, 422, { message: secret, errors: { q: [secret] } }));
  const { tracer, spans } = tracing();
  await errorOf(client({ hooks: openTelemetry({ tracer }) }).tickets.list('p', { q: 'private search' }));
  const recorded = JSON.stringify(
    spans().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
  );
  expect(recorded).toContain('tickets.list');
  expect(recorded).not.toContain(secret);
  expect(recorded).not.toContain('private');
});

it("openTelemetry doesn't affect calls if no tracer provider is registered", async () => {
  const { client } = await serve((out) => json(out, 200, { data: { id: 'x' } }));
  expect(trace.getActiveSpan()).toBeUndefined();
  expect(await client({ hooks: openTelemetry() }).tickets.get('t')).toEqual({ id: 'x' });
});

it.each([
  [true, 'trace=1'],
  [undefined, 'trace=1'],
  [false, undefined],
])('openTelemetry with propagate: %s sets the tracestate header to %s', async (propagate, carried) => {
  propagation.setGlobalPropagator({
    inject: (_, carrier, setter) => setter.set(carrier, 'tracestate', 'trace=1'),
    extract: (context) => context,
    fields: () => ['tracestate'],
  });
  onTestFinished(() => propagation.disable());
  const { client, seen } = await serve((out) => json(out, 200, { data: { id: 'x' } }));
  await client({ hooks: openTelemetry({ ...tracing(), propagate }) }).tickets.get('t');
  expect(seen[0]?.headers.tracestate).toBe(carried);
});

it.each([
  ['https://work.example', 443],
  ['http://work.test', 80],
  ['https://work.example:8443', 8443],
])('openTelemetry records the port of %s as %i', async (baseUrl, port) => {
  const { tracer, spans } = tracing();
  const fetch = async () => Response.json({ data: { id: 'x' } });
  const hooks = openTelemetry({ tracer });
  await new Worktrack({ baseUrl, token: secret, hooks, fetch, responseValidation: 'off' }).tickets.get('t');
  expect(spans()[0]?.attributes['server.port']).toBe(port);
});

it("openTelemetry doesn't include the query string of a raw call in names, attributes, or messages", async () => {
  const { client } = await serve((out) => json(out, 418, {}));
  const { tracer, spans } = tracing();
  await errorOf(client({ hooks: openTelemetry({ tracer }) }).raw('GET', '/search?q=private#part'));
  expect(spans()).toHaveLength(1);
  const [span] = spans();
  expect(span?.name).toBe('GET /search');
  expect(JSON.stringify([span?.name, span?.attributes, span?.status])).not.toContain('private');
});

it('openTelemetry adds the attributes that a given function returns for each call', async () => {
  const { client } = await serve((out) => json(out, 200, { data: {} }));
  const { tracer, spans } = tracing();
  const attributes = ({ context }: { context: unknown }) => ({ 'app.tenant': `${context}` });
  await client({ hooks: openTelemetry({ tracer, attributes }) }).tickets.get('t', { context: 'acme' });
  expect(spans()[0]?.attributes).toMatchObject({ 'app.tenant': 'acme', 'url.template': '/tickets/{ticket}' });
});
