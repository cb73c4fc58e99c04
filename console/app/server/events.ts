import type { AdminApi } from './admin-api.js';

/** One server-sent event. */
export interface ServerEvent {
  name: string;
  data: unknown;
}

/**
 * Yields the events of a space until the connection ends. Reads them with `fetch`, because `EventSource` can't send
 * the admin token.
 *
 * @throws {@link AdminApiError} if the server rejects the request or isn't reachable
 */
export async function* readEvents(api: AdminApi, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const response = await api.open('/events', { signal });
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += value;
      const blocks = buffer.split('\n\n');
      buffer = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } catch {
    // A connection that breaks has ended, too.
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** @returns undefined for a comment, which only keeps the connection open */
function parseEvent(block: string): ServerEvent | undefined {
  const name = /^event: (.*)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1];
  return name === undefined || data === undefined ? undefined : { name, data: JSON.parse(data) };
}
