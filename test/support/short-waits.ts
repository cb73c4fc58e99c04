/** The environment for Node.js processes with shorter waits. */
export const shortWaits = { NODE_OPTIONS: `--import=${new URL('./shorten-waits.mjs', import.meta.url)}` };
