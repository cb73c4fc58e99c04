// Puts entries into a book until it's killed, and prints the number of each put that is durable.
//
// Usage: node book-process.mjs <path> <concurrency> [<payload size in bytes>]
import { sqliteBook } from '../../../addons/jobs/sqlite-book.js';

const [path = '', concurrency = '1', size = '100'] = process.argv.slice(2);
const book = sqliteBook(path);
let next = 0;
const filler = 'x'.repeat(Number(size));

async function work(): Promise<void> {
  for (;;) {
    const number = next++;
    // Two entries per put, so that a half-written put would be noticed.
    await book.put(
      ['a', 'b'].map((part) => ({ key: `${number}${part}`, state: 'done', value: { number, filler } })),
    );
    process.stdout.write(`${number}\n`);
  }
}

try {
  for await (const _ of book.entries()) next += 0.5;
  await Promise.all(Array.from({ length: Number(concurrency) }, work));
} catch (error) {
  const { name, message } = error as Error;
  process.stdout.write(`${name}: ${message}\n`);
}
