// What the add-ons for Node.js use in addition to the public entry points.
export { realPathOf, removeLeftovers, replaceFile, specialFileAt } from '../shared/files.js';
