import ky from 'ky';
import type { Transport } from '../transport.js';
import { readText } from './read-text.js';

/**
 * Made once: options given to a call would be merged anew for each, which takes a tenth of its time. Answered
 * in its hook, ky makes no copy of the request for repeats of its own either: the body would be read through
 * a branch of a stream, which costs more than the rest of the call.
 */
const throughKy = /* @__PURE__ */ ky.create({
  retry: 0,
  throwHttpErrors: false,
  hooks: { beforeRequest: [(_, { context }) => (context as unknown as Sending).send()] },
});

/** What a call hands to the hook, in ky's place for it. */
interface Sending {
  send: () => Promise<Response>;
}

/** The transport of clients that name none: ky, over the platform's fetch or one that is given. The only place that knows ky. */
export const kyTransport =
  (given?: typeof globalThis.fetch): Transport =>
  async ({ url, method, headers, body, cancellation }) => {
    // Looked up for each request: tests replace it.
    const fetch = given ?? globalThis.fetch;
    const { signal } = cancellation;
    let response!: Response;
    const send = async () => {
      response = await fetch(url, { method, headers, signal, redirect: 'manual', body: body ?? null });
      // Of another class, as undici's package has it, ky would take it for no answer and send again.
      return response instanceof Response ? response : new Response();
    };
    await throughKy(url, { context: { send } satisfies Sending });
    return {
      status: response.status,
      headers: response.headers,
      type: response.type,
      read: (most) => readText(response, cancellation, most),
      discard: () => void response.body?.cancel().catch(() => {}),
    };
  };
