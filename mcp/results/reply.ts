import { cleanText } from '../text/clean-text.js';
import { fence } from '../text/fence.js';
import { cutToBytes, maxDataBytes, shorten } from '../text/size.js';

/** A tool result before formatting. */
export interface Reply {
  /** This server's summary of what was done or found. */
  heading: string;
  /** Content that users may have written. It's fenced in the result. */
  data?: string | undefined;
  /** This server's hint about what to do next. */
  hint?: string | undefined;
  isError?: boolean | undefined;
  /** Whether the error is unexpected and must be logged. */
  isUnexpected?: boolean | undefined;
}

/** Formats a reply as at most `maxResultBytes` bytes of text. */
export function renderReply({ heading, data, hint }: Reply): string {
  const own = [shorten(cleanText(heading), ownLength), hint && shorten(cleanText(hint), ownLength)];
  if (!data) return own.filter(Boolean).join('\n');
  const fenced = cutToBytes(data, maxDataBytes);
  const cut =
    fenced === data ? undefined : 'The result was cut off at the size limit. Request fewer rows or fields.';
  return [own[0], fence(fenced), own[1], cut].filter(Boolean).join('\n');
}

/** The maximum length of a heading or hint, in characters. Only unusually long arguments exceed it. */
const ownLength = 300;

/** Thrown if the model's arguments are invalid, before any request is sent. */
export class ToolInputError extends Error {}
