/**
 * Returns the lines that a terminal shows after the given output. Supports only the control sequences that a
 * progress bar needs.
 */
export function screenOf(output: string): string[] {
  const lines = [''];
  let [row, column] = [0, 0];
  let saved = [row, column] as const;
  const write = (text: string) => {
    const line = (lines[row] ?? '').padEnd(column);
    lines[row] = line.slice(0, column) + text + line.slice(column + text.length);
    column += text.length;
  };
  const controls: Record<string, () => void> = {
    '\n': () => {
      row += 1;
      column = 0;
      lines[row] ??= '';
    },
    '\u001b7': () => {
      saved = [row, column];
    },
    '\u001b8': () => {
      [row, column] = saved;
    },
    '\u001b[1G': () => {
      column = 0;
    },
    '\u001b[0K': () => {
      lines[row] = (lines[row] ?? '').slice(0, column);
    },
    '\u001b[2K': () => {
      lines[row] = '';
    },
    // These sequences hide and show the cursor, and disable and enable line wrapping.
    '\u001b[?25l': () => {},
    '\u001b[?25h': () => {},
    '\u001b[?7l': () => {},
    '\u001b[?7h': () => {},
  };
  for (const [part] of output.matchAll(/\n|\p{Cc}(?:\[[?\d]*[A-Za-z]|[78])?|\P{Cc}+/gu)) {
    const control = controls[part];
    if (control) control();
    else if (/\p{Cc}/u.test(part)) throw new Error(`unsupported control sequence ${JSON.stringify(part)}`);
    else write(part);
  }
  return lines;
}
