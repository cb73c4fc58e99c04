import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^worktrack$/, replacement: source('./src/index.ts') },
      { find: /^worktrack\/contract$/, replacement: source('./src/contract/index.ts') },
      { find: /^worktrack\/mock-server$/, replacement: source('./mock-server/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 10_000,
  },
});
