/** The part of the Markdown renderer that is needed here. */
interface Renderer {
  renderer: { rules: { code_inline?: ((...args: never[]) => string) | undefined } };
}

/** Number of characters that fit on a line of the narrowest supported window. */
const maxLength = 36;

/**
 * Prevents line breaks within words of inline code. Browsers break lines after hyphens, so `--json` could
 * become `--` at the end of one line and `json` on the next. Words that are too long for a line can still break.
 */
export function keepWordsWhole({ renderer: { rules } }: Renderer): void {
  const render = rules.code_inline;
  rules.code_inline = (...args) => (render?.(...args) ?? '').replace(/(?<=>)[^<>]+(?=<)/, wholeWords);
}

const wholeWords = (html: string): string =>
  html
    .split(' ')
    .map((word) =>
      word.includes('-') && word.replace(/&\w+;/g, '_').length <= maxLength
        ? `<span class="whole">${word}</span>`
        : word,
    )
    .join(' ');
