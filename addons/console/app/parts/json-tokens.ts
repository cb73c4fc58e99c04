/** A part of a JSON document. `kind` is also used as a CSS class. */
export interface JsonToken {
  text: string;
  kind: 'key' | 'string' | 'number' | 'word' | undefined;
}

/** The maximum length of a document to color, in characters. Each token becomes a DOM element. */
const maxLength = 50_000;

const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(\btrue\b|\bfalse\b|\bnull\b)/g;

/** Splits formatted JSON into tokens. Joining the tokens yields the original text. */
export function jsonTokens(json: string, isText = false): JsonToken[] {
  if (isText || json.length > maxLength) return [{ text: json, kind: undefined }];
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of json.matchAll(pattern)) {
    const [whole, quoted, colon, number] = match;
    if (match.index > end) tokens.push({ text: json.slice(end, match.index), kind: undefined });
    end = match.index + whole.length;
    if (quoted === undefined) tokens.push({ text: whole, kind: number === undefined ? 'word' : 'number' });
    else {
      tokens.push({ text: quoted, kind: colon === undefined ? 'string' : 'key' });
      if (colon !== undefined) tokens.push({ text: colon, kind: undefined });
    }
  }
  if (end < json.length) tokens.push({ text: json.slice(end), kind: undefined });
  return tokens;
}
