import { join } from 'node:path';
import { describe } from 'vitest';
import { memoryBook, sqliteBook } from 'worktrack/jobs';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testBook } from './book-contract.js';

describe('memoryBook', () => {
  testBook(async () => ({ open: memoryBook, isLasting: false }));
});

describe('sqliteBook', () => {
  testBook(async () => {
    const path = join(await temporaryFolder(), 'jobs.book');
    return { open: () => sqliteBook(path), isLasting: true };
  });
});
