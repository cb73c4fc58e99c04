import { defineConfig } from 'vitest/config';
import { entries, root } from '../../../tools/entries.js';

/** Runs only the programs that the home page shows. */
export default defineConfig({
  root,
  resolve: {
    alias: [...entries].map(([name, file]) => ({ find: new RegExp(`^${name}$`), replacement: root + file })),
  },
  test: { include: ['test/docs/home/{handwritten,worktrack}.ts'], watch: false },
});
