import { parseFragment } from 'parse5';

// The build replaces the `decode-named-character-reference` package with this file, because the HTML parser
// already contains the same table of names.

/** Returns the characters that a name such as `amp` stands for, or false if it's unknown. */
export function decodeNamedCharacterReference(name: string): string | false {
  const reference = `&${name};`;
  const [node] = parseFragment(reference).childNodes;
  const text = node && 'value' in node ? node.value : reference;
  // The parser may have decoded only the start of the name, as in `&notit;`.
  return text === reference || (text.endsWith(';') && name !== 'semi') ? false : text;
}
