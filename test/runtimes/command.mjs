// For the runtimes that are commands: Node.js, Bun, Deno.
import process from 'node:process';
import { main } from './program.mjs';

await main(JSON.parse(process.argv.at(-1)));
console.log('passed');
