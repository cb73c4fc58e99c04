import { defineConfig } from 'vitepress';
import { entries, root } from '../../scripts/entries.js';
import { readableFromDisk } from './from-disk.js';
import { liveExamples } from './live/vite-plugin.js';
import { nav, sidebar } from './navigation.js';
import { keepWordsWhole } from './unbroken-words.js';

export default defineConfig({
  lang: 'en',
  title: 'worktrack',
  description: 'The TypeScript SDK for the Work-Tracking External API, with a reference server for tests',
  cleanUrls: false,
  lastUpdated: false,
  transformHtml: (html, _id, { pageData, siteConfig }) =>
    readableFromDisk(html, pageData.relativePath, siteConfig.site.base),
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: keepWordsWhole,
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
    notFound: {
      title: 'There is no such page',
      quote: 'It may have moved. The search knows every page and every name.',
      linkText: 'To the beginning',
      linkLabel: 'to the beginning',
    },
  },
  vite: {
    plugins: [liveExamples()],
    resolve: {
      alias: [...entries].map(([name, file]) => ({
        find: new RegExp(`^${name}$`),
        replacement: root + file,
      })),
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
