import type { Cancellation, ReadText } from '../transport.js';

/**
 * Reads a body as UTF-8, keeping what came when it is cut off.
 *
 * @param most bytes after which the rest is left unread
 */
export async function readText(
  response: Response,
  bounds: Cancellation,
  most = Number.POSITIVE_INFINITY,
): Promise<ReadText> {
  const reader = response.body?.getReader();
  if (!reader) return { text: '' };
  // Ends a read that waits, also of a body that heeds no signal; at the end it closes the connection.
  const cancel = () => reader.cancel().catch(() => {});
  const leave = bounds.listen(cancel);
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    while (size < most) {
      const { done, value } = await reader.read();
      if (bounds.aborted) return { text, failure: bounds.reason };
      if (done) return { text: text + decoder.decode() };
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    cancel();
    return { text };
  } catch (failure) {
    return { text, failure };
  } finally {
    leave();
  }
}
