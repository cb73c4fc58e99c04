import { cleanText } from '../text/clean-text.js';
import { fence } from '../text/fence.js';
import { cutToBytes, maxDataBytes, shorten } from '../text/size.js';

/** What a tool returns, before it is written down. */
export interface Reply {
  /** The server's own words: what was done or found. */
  heading: string;
  /** Whatever users may have written: it is fenced. */
  data?: string | undefined;
  /** The server's own words: how to go on. */
  hint?: string | undefined;
  isError?: boolean | undefined;
  /** Set for errors that no rule of the API explains: they belong in the log. */
  isUnexpected?: boolean | undefined;
}

/** Writes a reply down, with a hard limit on its size (`maxResultBytes`). */
export function renderReply({ heading, data, hint }: Reply): string {
  const own = [shorten(cleanText(heading), ownLength), hint && shorten(cleanText(hint), ownLength)];
  if (!data) return own.filter(Boolean).join('\n');
  const fenced = cutToBytes(data, maxDataBytes);
  const cut = fenced === data ? undefined : 'Cut off at the size limit: ask for fewer rows or fields.';
  return [own[0], fence(fenced), own[1], cut].filter(Boolean).join('\n');
}

/** Characters of a heading or a hint. They quote little, so this limit is for arguments gone wrong. */
const ownLength = 300;

/** The model's arguments don't fit; nothing was sent. */
export class ToolInputError extends Error {}
