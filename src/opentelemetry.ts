import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { CallEvent, Hooks, RequestEvent } from './hooks.js';

/** Options for {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** The tracer that creates the spans. Defaults to a tracer from the global provider. */
  tracer?: Tracer | undefined;
  /**
   * Whether to add the trace context (`traceparent`) to requests.
   *
   * @defaultValue true
   */
  propagate?: boolean | undefined;
  /** Returns additional attributes for an attempt's span, for example from the call's `context`. */
  attributes?: ((event: RequestEvent) => Attributes) | undefined;
}

/**
 * Creates hooks that record a client span for each attempt, following the HTTP semantic conventions. Spans
 * include the operation, the number of retries, and the request ID, but no bodies, headers, or queries.
 *
 * @example
 * ```ts
 * const client = new Worktrack({ hooks: openTelemetry() });
 * ```
 */
export function openTelemetry({
  tracer,
  propagate = true,
  attributes = () => ({}),
}: OpenTelemetryOptions = {}): Hooks {
  const spans = new WeakMap<object, Span>();
  const end = (event: CallEvent, describe: (span: Span) => void) => {
    const span = spans.get(event.call);
    if (!span) return;
    describe(span);
    span.end();
    spans.delete(event.call);
  };
  const fail = (event: CallEvent & { error: Error }) =>
    end(event, (span) => {
      span.setAttribute('error.type', event.error.name);
      span.setStatus({ code: SpanStatusCode.ERROR, message: event.error.message });
    });
  return {
    request(event) {
      const span = (tracer ?? trace.getTracer('worktrack')).startSpan(
        `${event.method} ${event.urlTemplate}`,
        {
          kind: SpanKind.CLIENT,
          attributes: { ...attributesOf(event), ...attributes(event) },
        },
      );
      spans.set(event.call, span);
      if (!propagate) return;
      propagation.inject(trace.setSpan(context.active(), span), event.headers, {
        set: (headers, name, value) => headers.set(name, value),
      });
    },
    response(event) {
      end(event, (span) => {
        span.setAttribute('http.response.status_code', event.status);
        if (event.requestId) span.setAttribute('worktrack.request_id', event.requestId);
        const { error } = event;
        if (event.status < 400 && !error) return;
        span.setAttribute('error.type', error?.name ?? String(event.status));
        span.setStatus({ code: SpanStatusCode.ERROR, ...(error && { message: error.message }) });
      });
    },
    // If an attempt gets no response, the client calls one of these hooks.
    retry: fail,
    error: fail,
  };
}

function attributesOf({ url, method, urlTemplate, operation, organization, attempt }: CallEvent) {
  const { protocol, hostname, port, origin, pathname } = new URL(url);
  return {
    'http.request.method': method,
    // The query is omitted because filters may contain search terms.
    'url.full': origin + pathname,
    'url.template': urlTemplate,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'worktrack.operation': operation,
    ...(organization && { 'worktrack.organization': organization }),
    ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
  };
}
