/** Columns that text takes in a terminal: two for a wide character or an emoji, none for what combines. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += columns(segment);
  return width;
}

/** Text that ends in `…` where it would take more columns than `limit`. */
export function shortened(text: string, limit: number): string {
  let width = 0;
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    width += columns(segment);
    if (width > limit) return `${kept}…`;
    if (width < limit) kept += segment;
  }
  return text;
}

/** Text with spaces after it, up to a number of columns. */
export const padded = (text: string, width: number) =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** What a server sends must not move the cursor of a person's terminal, nor turn its lines around. */
export const oneLine = (text: string) =>
  text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

const columns = (grapheme: string) => (wide.test(grapheme) ? 2 : 1);

const segmenter = new Intl.Segmenter();

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
