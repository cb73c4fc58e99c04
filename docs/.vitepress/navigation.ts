import type { DefaultTheme } from 'vitepress';
import { apiPage, entries } from '../../scripts/entries.js';
import { operationIds } from '../../src/contract/index.js';
import { errorCodePages } from './content/error-code-pages.js';
import { errorPages } from './content/error-pages.js';
import { exampleTitles, nodeExampleTitles } from './content/examples.js';

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Get started', link: '/quick-start', activeMatch: '^/(quick-start|why-worktrack|faq)' },
  { text: 'Guides', link: '/guide/client-basics', activeMatch: '^/(guide|errors|cli)' },
  { text: 'Testing', link: '/testing/', activeMatch: '^/testing/' },
  { text: 'Examples', link: '/examples/', activeMatch: '^/examples/' },
  { text: 'Reference', link: '/reference/', activeMatch: '^/(reference/|specification)' },
  { text: 'Playground', link: '/playground' },
];

const start: DefaultTheme.SidebarItem = {
  text: 'Get started',
  items: [
    { text: 'Quick start', link: '/quick-start' },
    { text: 'Why worktrack', link: '/why-worktrack' },
    { text: 'What you can rely on', link: '/what-you-can-rely-on' },
    { text: 'FAQ and troubleshooting', link: '/faq-and-troubleshooting' },
    { text: 'Changelog', link: '/changelog' },
    { text: 'Deprecation policy', link: '/deprecation-policy' },
  ],
};

const guides: DefaultTheme.SidebarItem = {
  text: 'Guides',
  items: [
    { text: 'Client basics', link: '/guide/client-basics' },
    { text: 'Authentication and scopes', link: '/guide/authentication-and-scopes' },
    { text: 'Error handling', link: '/guide/error-handling' },
    { text: 'Pagination', link: '/guide/pagination' },
    { text: 'Retries and timeouts', link: '/guide/retries-and-timeouts' },
    { text: 'Rate limits', link: '/guide/rate-limits' },
    { text: 'Bulk operations', link: '/guide/bulk-operations' },
    { text: 'Import a million tickets', link: '/guide/import-a-million-tickets' },
    { text: 'Import a CSV file', link: '/guide/import-a-file' },
    { text: 'Import on several machines', link: '/guide/import-with-bullmq' },
    { text: 'Keep a project in sync', link: '/guide/keep-in-sync' },
    { text: 'React to changes', link: '/guide/react-to-changes' },
    { text: 'Mirror your deployment in tests', link: '/guide/mirror-your-deployment' },
    { text: 'Logging and tracing', link: '/guide/logging-and-tracing' },
    { text: 'Transports and proxies', link: '/guide/transports-and-proxies' },
    { text: 'Browser', link: '/guide/browser' },
    { text: 'Newer API versions', link: '/guide/newer-api-versions' },
    { text: 'Custom wire formats', link: '/guide/custom-wire-formats' },
    { text: 'CLI', link: '/cli' },
    { text: 'MCP server for AI agents', link: '/guide/mcp' },
  ],
};

const testing: DefaultTheme.SidebarItem = {
  text: 'Testing',
  items: [
    { text: 'Test your code', link: '/testing/' },
    { text: 'Vitest', link: '/testing/vitest' },
    { text: 'Jest', link: '/testing/jest' },
    { text: 'node:test', link: '/testing/node-test' },
    { text: 'MSW', link: '/testing/msw' },
    { text: 'Playwright', link: '/testing/playwright' },
    { text: 'Server-rendered apps', link: '/testing/server-rendered-apps' },
    { text: 'CI', link: '/testing/ci' },
    { text: 'Seed data', link: '/testing/seed-data' },
    { text: 'Control the mock server', link: '/testing/control-the-mock-server' },
    { text: 'Explore failures', link: '/testing/explore-failures' },
    { text: 'Mock server over HTTP', link: '/testing/mock-server-over-http' },
    { text: 'Host a mock server', link: '/testing/host-a-mock-server' },
    { text: 'Web console', link: '/testing/console' },
    { text: 'Replace handwritten mocks', link: '/testing/replace-handwritten-mocks' },
    { text: 'Conformance kit', link: '/testing/conformance' },
    { text: 'Known differences', link: '/testing/known-differences' },
  ],
};

const contributing: DefaultTheme.SidebarItem = {
  text: 'Contributing',
  items: [
    { text: 'Contributing', link: '/contributing/' },
    { text: 'Writing', link: '/contributing/writing' },
    { text: 'How the rules are tested', link: '/contributing/how-the-rules-are-tested' },
    { text: 'Performance', link: '/performance' },
    { text: 'Decisions', link: '/decisions' },
  ],
};

export const userPages = [start, guides, testing, contributing];

const reference: DefaultTheme.SidebarItem[] = [
  {
    text: 'Reference',
    items: [
      { text: 'Overview', link: '/reference/' },
      { text: 'Endpoints', link: '/reference/endpoints' },
      { text: 'Scopes', link: '/reference/scopes' },
      { text: 'Limits', link: '/reference/limits' },
      { text: 'Retries', link: '/reference/retries' },
      { text: 'Error codes', link: '/reference/error-codes' },
      { text: 'Imports', link: '/reference/imports' },
      { text: 'Admin routes', link: '/reference/admin-routes' },
      { text: 'Specification', link: '/specification' },
    ],
  },
  {
    text: 'API',
    items: [...entries.keys()].map((name) => ({ text: name, link: `/reference/api/${apiPage(name)}/` })),
  },
  {
    text: 'Operations',
    items: operationIds.map((id) => ({ text: id, link: `/reference/operations/${id}.html` })),
  },
];

const errors: DefaultTheme.SidebarItem[] = [
  {
    text: 'Errors',
    items: [
      { text: 'Error handling', link: '/guide/error-handling' },
      { text: 'All errors', link: '/errors/' },
    ],
  },
  { text: 'Classes', items: pagesOf(errorPages) },
  { text: 'Error codes', items: pagesOf(errorCodePages) },
];

function pagesOf(pages: object): DefaultTheme.SidebarItem[] {
  return Object.keys(pages).map((name) => ({ text: name, link: `/errors/${name}` }));
}

const examples: DefaultTheme.SidebarItem = {
  text: 'Examples',
  items: [
    { text: 'Examples', link: '/examples/' },
    ...Object.entries({ ...exampleTitles, ...nodeExampleTitles }).map(([id, text]) => ({
      text,
      link: `/examples/${id}`,
    })),
  ],
};

export const sidebar: DefaultTheme.Sidebar = {
  '/errors/': errors,
  '/examples/': [examples],
  '/reference/': reference,
  '/specification.html': reference,
  '/specification': reference,
  '/': userPages,
};
