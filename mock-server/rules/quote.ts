import { shorten } from '../../src/shared/quote.js';

/** Quotes a string for a message and shortens it to keep the response small. Generated IDs are shorter. */
export const quote = (text: string): string => JSON.stringify(shorten(text, 60));
