import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { liveExamples } from './live/vite-plugin.js';
import { nav, sidebar } from './navigation.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

export default defineConfig({
  lang: 'en',
  title: 'worktrack',
  description: 'The TypeScript SDK for the Work-Tracking External API, with a reference server for tests',
  cleanUrls: false,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    nav,
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: { detailedView: false },
    },
    docFooter: { prev: 'Before', next: 'Next' },
    externalLinkIcon: true,
  },
  vite: {
    plugins: [liveExamples()],
    resolve: {
      alias: [
        { find: /^worktrack$/, replacement: `${repository}src/index.ts` },
        { find: /^worktrack\/contract$/, replacement: `${repository}src/contract/index.ts` },
        { find: /^worktrack\/mock-server$/, replacement: `${repository}mock-server/index.ts` },
      ],
    },
    build: {
      target: 'es2022',
      chunkSizeWarningLimit: 1500,
      rollupOptions: {
        // zod explains its own tree-shaking in comments that look like annotations to Rollup.
        onwarn: (warning, warn) => warning.code === 'INVALID_ANNOTATION' || warn(warning),
      },
    },
  },
});
