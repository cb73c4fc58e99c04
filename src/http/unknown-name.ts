import { ConfigurationError } from '../errors/index.js';
import { didYouMean } from '../shared/did-you-mean.js';

/** Creates the error for an unknown option or operation, with a suggestion. */
export const unknownName = (what: string, name: string, names: readonly string[], prefix = '') =>
  new ConfigurationError(`${what} "${prefix}${name}"; ${didYouMean(name, names, prefix)}`);
