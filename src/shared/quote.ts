/** Shortens foreign text to one line of at most 300 characters, so that it's safe in messages and logs. */
export function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those must not reach a log
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
