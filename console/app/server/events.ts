import type { AdminApi } from './admin-api.js';

export interface ServerEvent {
  name: string;
  data: unknown;
}

/**
 * Yields a space's events until the connection closes. Uses `fetch` because `EventSource` can't send the
 * admin token.
 *
 * @throws {@link AdminApiError} if the server rejects the request or can't be reached
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
    // If the connection is lost, end without an error.
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
