// This is the entry point for Node.js, Bun, and Deno.
import process from 'node:process';
import { nodeFetch } from 'worktrack/node';
import { main } from './program.mjs';

const served = JSON.parse(process.argv.at(-1));
await main(served);
await main({ ...served, fetch: nodeFetch() });
console.log('passed');
