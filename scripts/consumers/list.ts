import { bundlers } from './bundlers.js';
import type { Consumer } from './consumer.js';
import { plain } from './plain.js';
import { runners } from './runners.js';

/** Every kind of project that the package is tried in. */
export const consumers: readonly Consumer[] = [...plain, ...bundlers, ...runners];
