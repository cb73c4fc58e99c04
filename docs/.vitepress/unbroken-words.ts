/** The part of the Markdown renderer used in this file. */
interface Renderer {
  renderer: { rules: { code_inline?: ((...args: never[]) => string) | undefined } };
}

/** The number of characters that fit on a line in the narrowest supported window. */
const maxLength = 36;

/**
 * Prevents line breaks within words in inline code. Browsers break lines after hyphens, so `--json` could be split
 * into `--` and `json`. Words that don't fit on a line can still break.
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
