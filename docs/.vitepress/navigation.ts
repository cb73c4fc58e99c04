import type { DefaultTheme } from 'vitepress';
import { operationIds } from '../../src/contract/index.js';
import { apiPage, entries } from '../../tools/entries.js';
import { errorCodePages } from './content/error-code-pages.js';
import { errorPages } from './content/error-pages.js';
import { exampleTitles, nodeExampleTitles } from './content/examples.js';

/** A group of pages in the sidebar. `pages` maps links to titles, in sidebar order. */
interface Group {
  text: string;
  pages: Record<string, string>;
}

const start: Group = {
  text: 'Get started',
  pages: {
    '/quick-start': 'Quick start',
    '/why-worktrack': 'Why worktrack',
    '/what-you-can-rely-on': 'What you can rely on',
    '/faq-and-troubleshooting': 'FAQ and troubleshooting',
    '/changelog': 'Changelog',
    '/deprecation-policy': 'Deprecation policy',
  },
};

const guides: Group = {
  text: 'Guides',
  pages: {
    '/guide/client-basics': 'Client basics',
    '/guide/authentication-and-scopes': 'Authentication and scopes',
    '/guide/error-handling': 'Error handling',
    '/guide/pagination': 'Pagination',
    '/guide/retries-and-timeouts': 'Retries and timeouts',
    '/guide/rate-limits': 'Rate limits',
    '/guide/bulk-operations': 'Bulk operations',
    '/guide/import-a-million-tickets': 'Import a million tickets',
    '/guide/import-a-file': 'Import a CSV file',
    '/guide/import-with-bullmq': 'Import on several machines',
    '/guide/keep-in-sync': 'Keep a project in sync',
    '/guide/react-to-changes': 'React to changes',
    '/guide/mirror-your-deployment': 'Mirror your deployment in tests',
    '/guide/logging-and-tracing': 'Logging and tracing',
    '/guide/transports-and-proxies': 'Proxies and custom fetch',
    '/guide/browser': 'Browser',
    '/guide/newer-api-versions': 'Newer API versions',
    '/guide/custom-wire-formats': 'Custom wire formats',
    '/cli': 'CLI',
    '/guide/mcp': 'MCP server for AI agents',
  },
};

const testing: Group = {
  text: 'Testing',
  pages: {
    '/testing/': 'Test your code',
    '/testing/vitest': 'Vitest',
    '/testing/jest': 'Jest',
    '/testing/node-test': 'node:test',
    '/testing/msw': 'MSW',
    '/testing/playwright': 'Playwright',
    '/testing/server-rendered-apps': 'Server-rendered apps',
    '/testing/ci': 'CI',
    '/testing/seed-data': 'Seed data',
    '/testing/control-the-mock-server': 'Control the mock server',
    '/testing/explore-failures': 'Explore failures',
    '/testing/mock-server-over-http': 'Mock server over HTTP',
    '/testing/host-a-mock-server': 'Host a mock server',
    '/testing/console': 'Web console',
    '/testing/replace-handwritten-mocks': 'Replace handwritten mocks',
    '/testing/conformance': 'Conformance kit',
    '/testing/known-differences': 'Known differences',
  },
};

const contributing: Group = {
  text: 'Contributing',
  pages: {
    '/contributing/': 'Contributing',
    '/contributing/writing': 'Writing',
    '/contributing/how-the-rules-are-tested': 'How the rules are tested',
    '/performance': 'Performance',
    '/decisions': 'Decisions',
  },
};

const reference: Group[] = [
  {
    text: 'Reference',
    pages: {
      '/reference/': 'Overview',
      '/reference/endpoints': 'Endpoints',
      '/reference/scopes': 'Scopes',
      '/reference/limits': 'Limits',
      '/reference/retries': 'Retries',
      '/reference/error-codes': 'Error codes',
      '/reference/admin-routes': 'Admin routes',
      '/specification': 'Specification',
    },
  },
  { text: 'Operations', pages: pagesOf(operationIds, (id) => `/reference/operations/${id}.html`) },
  { text: 'API', pages: pagesOf(entries.keys(), (name) => `/reference/api/${apiPage(name)}/`) },
];

const errors: Group[] = [
  { text: 'Errors', pages: { '/guide/error-handling': 'Error handling', '/errors/': 'All errors' } },
  { text: 'Classes', pages: pagesOf(Object.keys(errorPages), (name) => `/errors/${name}`) },
  { text: 'Error codes', pages: pagesOf(Object.keys(errorCodePages), (name) => `/errors/${name}`) },
];

const examples: Group = {
  text: 'Examples',
  pages: {
    '/examples/': 'Examples',
    ...Object.fromEntries(
      Object.entries({ ...exampleTitles, ...nodeExampleTitles }).map(([id, text]) => [
        `/examples/${id}`,
        text,
      ]),
    ),
  },
};

function pagesOf(names: Iterable<string>, linkOf: (name: string) => string): Group['pages'] {
  return Object.fromEntries([...names].map((name) => [linkOf(name), name]));
}

/** The written pages that users read, for `llms.txt`. */
export const userPages: readonly Group[] = [start, guides, testing, contributing];

/** The sections of the site, each with its own sidebar. A section's first page is its entry in the navigation. */
const sections: { nav?: string; folders: string[]; groups: Group[] }[] = [
  { nav: 'Get started', folders: [], groups: [start] },
  { nav: 'Guides', folders: ['/guide/'], groups: [guides] },
  { nav: 'Testing', folders: ['/testing/'], groups: [testing] },
  { nav: 'Examples', folders: ['/examples/'], groups: [examples] },
  { nav: 'Reference', folders: ['/reference/'], groups: reference },
  { folders: ['/errors/'], groups: errors },
  { folders: ['/contributing/'], groups: [contributing] },
];

export const nav: DefaultTheme.NavItem[] = [
  ...sections.flatMap(({ nav: text, folders, groups }) => {
    const links = Object.keys(groups[0]?.pages ?? {});
    const [link = ''] = links;
    return text ? [{ text, link, activeMatch: `^(${[...folders, `(${links.join('|')})$`].join('|')})` }] : [];
  }),
  { text: 'Playground', link: '/playground' },
];

/** Pages outside the section's folders are listed by file name, because VitePress compares prefixes. */
export const sidebar: DefaultTheme.SidebarMulti = Object.fromEntries(
  sections.flatMap(({ folders, groups }) => {
    const items = groups.map(({ text, pages }) => ({
      text,
      items: Object.entries(pages).map(([link, title]) => ({ text: title, link })),
    }));
    const links = Object.keys(groups[0]?.pages ?? {});
    const outside = links.filter((link) => link.lastIndexOf('/') === 0).map((link) => `${link}.md`);
    return [...folders, ...outside].map((path) => [path, items]);
  }),
);
