/**
 * The number of 32-bit words in a signature. A 500-character string sets about a fifth of the bits.
 */
const words = 32;

/**
 * The number of words that a search compares. In English text with 500 characters per record, comparing five
 * words usually rules out over 90% of the records that don't contain the string.
 */
const comparedWords = 5;

/**
 * One signature per slot, with one bit for each pair of adjacent characters in the slot's text. A text can't
 * contain a string if its signature shows that a pair in the string is missing.
 */
export class Signatures {
  #signatures = new Uint32Array(0);

  /** The memory used, in bytes. */
  get bytes(): number {
    return this.#signatures.byteLength;
  }

  set(slot: number, text: string): void {
    this.#reserve(slot);
    const start = slot * words;
    this.#signatures.fill(0, start, start + words);
    addSignature(text, this.#signatures, start);
  }

  /** Removes the signatures of all slots from `slots` on. */
  truncate(slots: number): void {
    this.#signatures = this.#signatures.slice(0, slots * words);
  }

  /**
   * Returns a function that checks whether the text in a slot may contain the string. If it returns false,
   * the text doesn't contain it.
   */
  filter(needle: string): (slot: number) => boolean {
    const signature = new Uint32Array(words);
    addSignature(needle, signature, 0);
    const compared = [...signature.keys()].filter((word) => signature[word]).slice(0, comparedWords);
    const bits = compared.map((word) => signature[word] as number);
    return (slot) => {
      const start = slot * words;
      for (let index = 0; index < compared.length; index += 1) {
        const missing = ~(this.#signatures[start + (compared[index] as number)] as number);
        if ((bits[index] as number) & missing) return false;
      }
      return true;
    };
  }

  #reserve(slot: number): void {
    const requiredLength = (slot + 1) * words;
    if (this.#signatures.length >= requiredLength) return;
    const larger = new Uint32Array(Math.max(requiredLength, this.#signatures.length * 2));
    larger.set(this.#signatures);
    this.#signatures = larger;
  }
}

/** Sets one bit for each pair of adjacent characters. A single character sets no bits. */
function addSignature(text: string, signatures: Uint32Array, start: number): void {
  for (let at = 1; at < text.length; at += 1) {
    const hash = Math.imul(text.charCodeAt(at - 1), 0x9e3779b1) ^ Math.imul(text.charCodeAt(at), 0x85ebca6b);
    const bit = (hash >>> 7) & (words * 32 - 1);
    const word = start + (bit >>> 5);
    signatures[word] = (signatures[word] as number) | (1 << (bit & 31));
  }
}
