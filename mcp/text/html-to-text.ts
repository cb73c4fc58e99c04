import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/**
 * Converts HTML to plain text. Paragraphs and list items start on a new line, and URLs follow their
 * links. Omits content that browsers don't show: scripts, styles, comments, and hidden elements.
 */
export function htmlToText(html: string): string {
  const writer = new TextWriter(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, writer);
  tokenizer.write(html);
  tokenizer.end();
  return writer.parts
    .join('')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Collects the text between tags. Processes tokens instead of building a tree, which takes quadratic time if
 * the markup opens 100,000 elements without closing any.
 */
class TextWriter implements TokenizerCallbacks {
  readonly parts: string[] = [];
  readonly #html: string;
  #tag = '';
  #attribute = '';
  #attributes = new Map<string, string>();
  /**
   * The enclosing hidden element. `depth` is the number of open elements with this element's name, including
   * itself.
   */
  #hidden: { name: string; depth: number } | undefined;
  #href: string | undefined;
  #preformatted = false;

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    this.#write(this.#html.slice(start, end).replace(this.#preformatted ? /[^\S\n]+/g : /\s+/g, ' '));
  }

  ontextentity(codePoint: number): void {
    this.#write(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    // Like browsers, uses the first attribute if several have the same name.
    if (this.#attributes.has(this.#attribute)) this.#attribute = '';
    else this.#attributes.set(this.#attribute, '');
  }

  onattribdata(start: number, end: number): void {
    this.#addToAttribute(this.#html.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    this.#addToAttribute(String.fromCodePoint(codePoint));
  }

  onopentagend(): void {
    const name = this.#tag;
    if (this.#hidden) {
      if (name === this.#hidden.name) this.#hidden.depth += 1;
      return;
    }
    if (!voidElements.has(name) && (hiddenElements.has(name) || isHidden(this.#attributes))) {
      this.#hidden = { name, depth: 1 };
      return;
    }
    if (name === 'li') this.#write('\n- ');
    else if (name === 'td' || name === 'th') this.#write(' ');
    else if (blockElements.has(name)) this.#write('\n');
    if (name === 'pre') this.#preformatted = true;
    if (name === 'a') this.#href = this.#attributes.get('href');
    const alternative = name === 'img' && this.#attributes.get('alt');
    if (alternative) this.#write(`[image: ${alternative}]`);
  }

  onselfclosingtag(): void {
    // HTML has no self-closing tags: `<div/>` opens a div.
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#hidden) {
      if (name === this.#hidden.name) this.#hidden.depth -= 1;
      if (this.#hidden.depth === 0) this.#hidden = undefined;
      return;
    }
    if (name === 'pre') this.#preformatted = false;
    if (name === 'a') {
      if (this.#href && /^(?:https?:|mailto:)/i.test(this.#href)) this.#write(` (${this.#href})`);
      this.#href = undefined;
    }
    if (blockElements.has(name)) this.#write('\n');
  }

  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #write(text: string): void {
    if (!this.#hidden) this.parts.push(text);
  }

  #addToAttribute(value: string): void {
    const name = this.#attribute;
    if (name) this.#attributes.set(name, (this.#attributes.get(name) ?? '') + value);
  }
}

const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

const hiddenElements = new Set('script style template head title noscript iframe object svg math'.split(' '));

const blockElements = new Set(
  'address article aside blockquote br dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr main ol p pre section table tr ul'.split(
    ' ',
  ),
);

function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  return attributes.has('hidden') || hiddenStyle.test(attributes.get('style') ?? '');
}

const hiddenStyle =
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0(?![.\d])/i;
