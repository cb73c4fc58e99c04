import { bundlers } from './bundlers.js';
import type { Consumer } from './consumer.js';
import { plain } from './plain.js';
import { runners } from './runners.js';

/** All projects that the package is tested in. */
export const consumers: readonly Consumer[] = [...plain, ...bundlers, ...runners];
