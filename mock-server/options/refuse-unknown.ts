import { didYouMean } from '../../src/shared/did-you-mean.js';

/**
 * Rejects unknown options. A typo would otherwise make a test that tests something else.
 *
 * @param where the called function, for the message
 * @param known an object with all known names as keys
 * @param prefix what precedes the names, such as `wire.`
 * @throws TypeError that suggests the right name
 */
export function refuseUnknown(where: string, given: object, known: object, prefix = ''): void {
  if (typeof given !== 'object' || given === null) throw new TypeError(`${where} takes an object of options`);
  for (const [name, value] of Object.entries(given)) {
    // An undefined option counts as omitted.
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const help = didYouMean(name, Object.keys(known), prefix);
    throw new TypeError(`${where}: unknown option "${prefix}${name}"; ${help}`);
  }
}
