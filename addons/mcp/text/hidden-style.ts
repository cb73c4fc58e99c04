import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';

/** What an inline style hides from readers. */
export interface HiddenByStyle {
  /** Whether the entire element is hidden. */
  all: boolean;
  /**
   * The inherited properties that the style sets, and whether they hide text. A nested element can show its
   * text again by setting the same property.
   */
  text: ReadonlyMap<string, boolean>;
}

/**
 * Determines what an inline style hides. Parses the style as browsers do, including escapes and comments.
 * Ignores styles that are set by classes.
 */
export function hiddenByStyle(style: string): HiddenByStyle {
  const values = declarations(style);
  const applies = (tests: Tests) =>
    [...values].flatMap(([name, value]) =>
      tests[name] ? [[name, tests[name](value, values)] as const] : [],
    );
  return { all: applies(hidingAll).some(([, hides]) => hides), text: new Map(applies(hidingText)) };
}

type Value = readonly CSSToken[];
type Test = (value: Value, all: ReadonlyMap<string, Value>) => boolean;
type Tests = Readonly<Record<string, Test>>;

const isKeyword =
  (...keywords: string[]): Test =>
  (value) =>
    keywords.includes(textOf(value));

const isTiny: Test = (value) => value.length > 0 && numbers(value, 0.16).every((size) => Math.abs(size) <= 2);
const isFaint: Test = (value) => numbers(value, 0.01).some((opacity) => opacity <= 0.1);
const isFarOff: Test = (value) => numbers(value, 10).some((offset) => offset <= -100);

const isPositioned = (all: ReadonlyMap<string, Value>) =>
  isKeyword('absolute', 'fixed', 'relative')(all.get('position') ?? [], all);

const isMovedOff: Test = (value, all) => isPositioned(all) && isFarOff(value, all);

const isClippedAway: Test = (value, all) =>
  numbers(value, 0.16).length > 0 &&
  isTiny(value, all) &&
  'overflow overflow-x overflow-y'
    .split(' ')
    .some((name) => isKeyword('hidden', 'clip')(all.get(name) ?? [], all));

const isTransparent: Test = (value) => {
  const text = textOf(value);
  if (text === 'transparent' || /^#(?:[\da-f]{3}0|[\da-f]{6}0[\da-f])$/.test(text)) return true;
  // The alpha value is the fourth one, after a slash or a comma.
  const parts = numbers(value, 0.01);
  return value[0]?.[0] === TokenType.Function && parts.length === 4 && (parts[3] as number) <= 0.1;
};

const isBackground: Test = (value, all) =>
  ['background-color', 'background'].some((name) => textOf(all.get(name)) === textOf(value));

const hasFunction = (value: Value, name: RegExp): boolean =>
  value.some((token) => token[0] === TokenType.Function && name.test(token[4].value));

const isTransformedAway: Test = (value, all) =>
  (hasFunction(value, /^scale/i) && numbers(value, 0.01).includes(0)) ||
  (hasFunction(value, /^translate/i) && isFarOff(value, all));

/** The properties that can hide an entire element. */
const hidingAll: Tests = {
  display: isKeyword('none'),
  'content-visibility': isKeyword('hidden'),
  opacity: isFaint,
  ...Object.fromEntries(['left', 'right', 'top', 'bottom', 'inset'].map((name) => [name, isMovedOff])),
  ...Object.fromEntries(
    ['text-indent', 'margin', 'margin-left', 'margin-top'].map((name) => [name, isFarOff]),
  ),
  ...Object.fromEntries(['width', 'height', 'max-width', 'max-height'].map((name) => [name, isClippedAway])),
  transform: isTransformedAway,
  scale: isKeyword('0'),
  clip: (value, all) => isPositioned(all) && hasFunction(value, /^rect$/i) && isTiny(value, all),
  'clip-path': (value, all) =>
    (hasFunction(value, /^inset$/i) && numbers(value, 1).some((size) => size >= 50)) ||
    (hasFunction(value, /^circle$/i) && isTiny(value, all)),
};

/** The inherited properties that can hide text. */
const hidingText: Tests = {
  visibility: isKeyword('hidden', 'collapse'),
  'font-size': (value, all) => numbers(value, 0.16).length > 0 && isTiny(value, all),
  color: (value, all) => isTransparent(value, all) || isBackground(value, all),
  '-webkit-text-fill-color': isTransparent,
};

/**
 * Returns the declarations by property. The last declaration applies, unless an earlier one is marked
 * `!important`.
 */
function declarations(style: string): Map<string, Value> {
  const result = new Map<string, Value>();
  const important = new Set<string>();
  let parts: CSSToken[] = [];
  for (const token of [...tokenize({ css: style.slice(0, maxStyle) }), end]) {
    if (ignored.has(token[0])) continue;
    if (token[0] !== TokenType.Semicolon) {
      parts.push(token);
      continue;
    }
    const [name, colon, ...value] = parts;
    parts = [];
    if (name?.[0] !== TokenType.Ident || colon?.[0] !== TokenType.Colon) continue;
    const property = name[4].value.toLowerCase();
    const mark = value.findIndex((part) => part[0] === TokenType.Delim && part[4].value === '!');
    if (mark < 0 && important.has(property)) continue;
    if (mark >= 0) important.add(property);
    result.set(property, mark < 0 ? value : value.slice(0, mark));
  }
  return result;
}

const end: CSSToken = [TokenType.Semicolon, ';', 0, 0, undefined];
const ignored: ReadonlySet<TokenType> = new Set([TokenType.Comment, TokenType.Whitespace, TokenType.EOF]);

/**
 * The maximum length of a style to parse, in characters. Longer styles are truncated to limit the parsing
 * time.
 */
const maxStyle = 10_000;

/** Returns a value in lowercase, with escapes decoded. */
const textOf = (value: Value = []): string =>
  value
    .map((token) => (token[0] === TokenType.Ident ? token[4].value : token[1]))
    .join('')
    .toLowerCase();

/**
 * Returns the numbers in a CSS value, converting lengths to pixels. Relative units are estimated.
 *
 * @param percent the value of one percent
 */
function numbers(value: Value, percent: number): number[] {
  return value.flatMap((token) => {
    if (token[0] === TokenType.Number) return [token[4].value];
    if (token[0] === TokenType.Percentage) return [token[4].value * percent];
    if (token[0] !== TokenType.Dimension) return [];
    return [token[4].value * (pixels[token[4].unit.toLowerCase()] ?? 16)];
  });
}

const pixels: Readonly<Record<string, number>> = { px: 1, pt: 1.33, mm: 3.8, cm: 38, in: 96 };
