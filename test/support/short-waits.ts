/** The environment of Node.js processes whose waits are shorter. */
export const shortWaits = { NODE_OPTIONS: `--import=${new URL('./shorten-waits.mjs', import.meta.url)}` };
