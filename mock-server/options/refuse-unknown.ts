import { didYouMean } from '../../src/shared/did-you-mean.js';

/**
 * Refuses options that are not known; one that is misspelt would make a test that tests something else.
 *
 * @param where what was asked, the beginning of the message
 * @param known an object that has all names
 * @param prefix where in the options they stand, such as `wire.`
 * @throws TypeError that names the option which may have been meant
 */
export function refuseUnknown(where: string, given: object, known: object, prefix = ''): void {
  if (typeof given !== 'object' || given === null) throw new TypeError(`${where} takes an object of options`);
  for (const [name, value] of Object.entries(given)) {
    // Undefined is an option left out, as in what several functions are given.
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const help = didYouMean(name, Object.keys(known), prefix);
    throw new TypeError(`${where}: unknown option "${prefix}${name}"; ${help}`);
  }
}
