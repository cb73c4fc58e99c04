/** What the Markdown renderer is to VitePress, as far as it is needed here. */
interface Renderer {
  renderer: { rules: { code_inline?: ((...args: never[]) => string) | undefined } };
}

/** Characters that fit beside each other on the narrowest window a page is made for. */
const fitting = 36;

/**
 * Keeps the words of inline code whole: a browser parts a line at each hyphen, and `--` at the end of one
 * with `json` at the beginning of the next is no option. A word too long for a line may still be parted.
 */
export function keepWordsWhole({ renderer: { rules } }: Renderer): void {
  const render = rules.code_inline;
  rules.code_inline = (...args) => (render?.(...args) ?? '').replace(/(?<=>)[^<>]+(?=<)/, wholeWords);
}

const wholeWords = (html: string): string =>
  html
    .split(' ')
    .map((word) =>
      word.includes('-') && word.replace(/&\w+;/g, '_').length <= fitting
        ? `<span class="whole">${word}</span>`
        : word,
    )
    .join(' ');
