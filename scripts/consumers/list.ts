import { bundlers } from './bundlers.js';
import type { Consumer } from './consumer.js';
import { plain } from './plain.js';
import { runners } from './runners.js';

/** All projects in which the package is tested. */
export const consumers: readonly Consumer[] = [...plain, ...bundlers, ...runners];
