import { escapeInvisible } from '../../src/shared/quote.js';

/** Downloads text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Copies text, which any website may have sent to the server, and which users may paste into a terminal. */
export const copy = (text: string): Promise<void> => navigator.clipboard.writeText(escapeInvisible(text));
