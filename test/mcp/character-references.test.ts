import { expect, test } from 'vitest';
import { decodeNamedCharacterReference } from '../../addons/mcp/text/decode-named-character-reference.js';

test.each([
  ['amp', '&'],
  ['lt', '<'],
  ['semi', ';'],
  ['nbsp', '\u00A0'],
  ['NotEqualTilde', '\u2242\u0338'],
  ['AElig', 'Æ'],
  ['notit', false],
  ['AMPERSAND', false],
  ['x', false],
  ['', false],
])('decodeNamedCharacterReference(%j) returns %j', (name, characters) => {
  expect(decodeNamedCharacterReference(name)).toBe(characters);
});
