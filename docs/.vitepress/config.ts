import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { entries, root } from '../../tools/entries.js';
import { addCodeTabs } from './code-tabs.js';
import { readableFromDisk } from './from-disk.js';
import { nav, sidebar } from './navigation.js';
import { descriptionOf, editUrl, type Manifest, previewTags } from './page-head.js';
import { indexOptions, searchableHtml, searchOptions } from './search.js';
import { stackTables } from './stacked-tables.js';
import { typeHovers } from './type-hovers.js';
import { keepWordsWhole } from './unbroken-words.js';

const manifest: Manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const editPattern = editUrl(manifest);

export default defineConfig({
  lang: 'en',
  title: 'worktrack',
  description:
    'TypeScript SDK for the Work-Tracking External API, with an in-memory mock server that enforces every API rule.',
  cleanUrls: false,
  lastUpdated: false,
  transformHtml: (html, _id, { pageData, siteConfig }) =>
    readableFromDisk(html, pageData.relativePath, siteConfig.site.base),
  head: [
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'worktrack' }],
  ],
  transformPageData(page) {
    page.description ||= descriptionOf(page.relativePath);
    // The other generated pages set this in their frontmatter.
    if (page.relativePath.startsWith('reference/api/')) page.frontmatter.editLink = false;
  },
  transformHead: ({ title, description, siteConfig, pageData: { relativePath } }) => [
    ['link', { rel: 'icon', href: `${siteConfig.site.base}logo.svg` }],
    ...previewTags(manifest, { title, description, relativePath }),
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => {
      addCodeTabs(markdown);
      keepWordsWhole(markdown);
      stackTables(markdown);
    },
    codeTransformers: [typeHovers(process.env.WORKTRACK_DOCS_TYPE_HOVERS?.split(','))],
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [...nav, { text: `v${manifest.version}`, link: '/changelog' }],
    ...(editPattern && { editLink: { pattern: editPattern, text: 'Edit this page' } }),
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        _render: (source, env, markdown) => searchableHtml(markdown, source, env),
        miniSearch: { options: indexOptions, searchOptions },
      },
    },
    docFooter: { prev: 'Previous page', next: 'Next page' },
    externalLinkIcon: true,
  },
  vite: {
    // The worker that runs programs uses dynamic imports, which only this format supports.
    worker: { format: 'es' },
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
        // Rollup mistakes some of zod's comments for annotations.
        onwarn: (warning, warn) => warning.code === 'INVALID_ANNOTATION' || warn(warning),
      },
    },
  },
});
