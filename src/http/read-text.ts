import { race } from './interrupt.js';

/** What was read of a body, and how the reading ended. */
export interface ReadText {
  text: string;
  /** Why it ended early; undefined when all was read. */
  failure?: unknown;
}

/**
 * Reads a body as UTF-8, keeping what came when it is cut off.
 *
 * @param most bytes after which the rest is left unread
 */
export async function readText(
  response: Response,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<ReadText> {
  const reader = response.body?.getReader();
  if (!reader) return { text: '' };
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    while (size < most) {
      const { done, value } = await race(reader.read(), signal);
      if (done) return { text: text + decoder.decode() };
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    return { text };
  } catch (failure) {
    return { text, failure };
  } finally {
    // Resolves at once for a body read to its end; otherwise it closes the connection.
    reader.cancel().catch(() => {});
  }
}
