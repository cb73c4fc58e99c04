import { escapeInvisible } from '../../../src/internal.js';

/** Downloads text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Copies text with invisible characters escaped. The text could have been sent to the server by any website,
 * and users might paste it into a terminal.
 */
export const copy = (text: string): Promise<void> => navigator.clipboard.writeText(escapeInvisible(text));
