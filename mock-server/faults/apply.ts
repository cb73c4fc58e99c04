import type { OperationId } from '../../src/contract/index.js';
import { decodeCredential, type Wire } from '../../src/wire/index.js';
import { abortable } from '../engine/abortable.js';
import type { EngineOptions, Exchange } from '../engine/exchange.js';
import { ConnectionFault, type Fault } from './fault.js';

/**
 * Meets a request with what was injected for it.
 *
 * @returns the fault that is still to be shown, in the place of the answer or in it
 * @throws ConnectionFault
 */
export async function meetFaults(
  { state, wire, faults }: EngineOptions,
  { request, record }: Exchange,
  operation: OperationId,
): Promise<Fault | undefined> {
  const token = decodeCredential(wire.credential, request.headers);
  const credential = token === undefined ? undefined : state.credentials.get(token)?.name;
  const { latency, fault } = faults.meet({ operation, token, credential });
  if (fault) {
    record.fault = describeFault(fault);
    record.credential = credential;
  }
  await delay(latency, request.signal);
  if (fault?.error === 'connection') {
    throw new ConnectionFault('The connection was cut, as a fault demanded.');
  }
  return fault;
}

/** Waits as a fault demands, no longer than the request is wanted. */
async function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await abortable(signal, waited);
  } finally {
    clearTimeout(timer);
  }
}

/** What the journal says of a fault. */
const describeFault = ({ status, error }: Fault): string =>
  status === undefined ? String(error).replace('_', ' ') : `status ${status}`;

/** The answer that a fault gives in the place of the real one. */
export function answerOf(fault: Fault, wire: Wire, headers: Record<string, string>): Response {
  const { status = 500, retryAfter, body, headers: further } = fault;
  const all = new Headers(headers);
  if (retryAfter !== undefined) {
    all.set('retry-after', retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter));
  }
  if (typeof body !== 'string') all.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(further ?? {})) all.set(name, value);
  return new Response(bodyOf(status, body, wire), { status, headers: all });
}

function bodyOf(status: number, body: unknown, wire: Wire): string | null {
  if (status === 204 || status === 205 || status === 304) return null;
  if (typeof body === 'string') return body;
  const message = status === 429 ? 'Too many requests.' : `A fault was injected: status ${status}.`;
  return JSON.stringify(
    body === undefined
      ? wire.error.encode({ message, code: status === 429 ? 'rate_limited' : undefined })
      : body,
  );
}

/** What the fault makes of the real answer. */
export async function spoil(response: Response, { error }: Fault): Promise<Response> {
  if (error === 'response_lost') throw new ConnectionFault('The response was lost, as a fault demanded.');
  const text = await response.text();
  const half = text.slice(0, Math.ceil(text.length / 2));
  const { status, headers } = response;
  if (error === 'malformed' || text === '')
    return new Response(text === '' ? null : half, { status, headers });
  headers.set('content-length', String(new TextEncoder().encode(text).length));
  return new Response(cutOff(half), { status, headers });
}

/** A body that begins well and then breaks off, once its beginning has had the time to be sent. */
function cutOff(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        controller.error(new ConnectionFault('The body was cut off, as a fault demanded.'));
      },
    },
    // Pulled only once the beginning was taken: an error would throw away what still waits.
    { highWaterMark: 0 },
  );
}
