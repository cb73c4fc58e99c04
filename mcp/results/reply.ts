import { cleanText } from '../text/clean-text.js';
import { fence } from '../text/fence.js';
import { cutToBytes, maxDataBytes, shorten } from '../text/size.js';

/** The result of a tool, before it is formatted. */
export interface Reply {
  /** A heading by this server: what was done or found. */
  heading: string;
  /** Content that users may have written. It is fenced. */
  data?: string | undefined;
  /** A hint by this server: how to continue. */
  hint?: string | undefined;
  isError?: boolean | undefined;
  /** Set for unexpected errors, which are logged. */
  isUnexpected?: boolean | undefined;
}

/** Formats a reply, with a hard limit on its size (`maxResultBytes`). */
export function renderReply({ heading, data, hint }: Reply): string {
  const own = [shorten(cleanText(heading), ownLength), hint && shorten(cleanText(hint), ownLength)];
  if (!data) return own.filter(Boolean).join('\n');
  const fenced = cutToBytes(data, maxDataBytes);
  const cut = fenced === data ? undefined : 'Cut off at the size limit: ask for fewer rows or fields.';
  return [own[0], fence(fenced), own[1], cut].filter(Boolean).join('\n');
}

/** The maximum length of a heading or hint in characters. They are short unless an argument is unusual. */
const ownLength = 300;

/** Thrown if the model's arguments are invalid. Nothing was sent. */
export class ToolInputError extends Error {}
