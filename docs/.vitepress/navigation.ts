import type { DefaultTheme } from 'vitepress';
import { apiPage, entries } from '../../scripts/entries.js';
import { operationIds } from '../../src/contract/index.js';
import { errorPages } from './content/error-pages.js';
import { exampleTitles, nodeExampleTitles } from './content/examples.js';
import { failurePages } from './content/failure-pages.js';

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Start', link: '/start/', activeMatch: '^/start/' },
  { text: 'Guides', link: '/guide/authentication', activeMatch: '^/(guide|errors)/' },
  { text: 'Examples', link: '/examples/', activeMatch: '^/examples/' },
  { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
  { text: 'Playground', link: '/playground' },
];

const start: DefaultTheme.SidebarItem = {
  text: 'Start here',
  items: [
    { text: 'Five minutes to a board', link: '/start/' },
    { text: 'For integrators', link: '/start/integrator' },
    { text: 'For test authors', link: '/start/test-author' },
    { text: 'For contributors', link: '/start/contributor' },
  ],
};

const guides: DefaultTheme.SidebarItem[] = [
  {
    text: 'Calling the API',
    items: [
      { text: 'Authentication and scopes', link: '/guide/authentication' },
      { text: 'Errors', link: '/guide/errors' },
      { text: 'Every error, one by one', link: '/errors/' },
      { text: 'Pagination', link: '/guide/pagination' },
      { text: 'Retries and deadlines', link: '/guide/retries-and-deadlines' },
      { text: 'Rate limits', link: '/guide/rate-limits' },
      { text: 'Transports', link: '/guide/transports' },
      { text: 'Bulk imports', link: '/guide/bulk-imports' },
      { text: 'Observability', link: '/guide/observability' },
      { text: 'In the browser', link: '/guide/browser' },
      { text: 'From the command line', link: '/guide/command-line' },
      { text: 'Newer servers', link: '/guide/newer-servers' },
    ],
  },
  {
    text: 'Testing with the reference server',
    items: [
      { text: 'Runners and faces', link: '/guide/testing' },
      { text: 'Writing a world', link: '/guide/worlds' },
      { text: 'Time, faults and what was asked', link: '/guide/steering' },
      { text: 'Over HTTP, for any language', link: '/guide/over-http' },
      { text: 'Away from hand-written stubs', link: '/guide/from-stubs' },
      { text: 'Checking a deployment', link: '/guide/conformance' },
    ],
  },
  {
    text: 'The fine print',
    items: [
      { text: 'What the specification leaves open', link: '/guide/open-questions' },
      { text: 'Known differences', link: '/guide/differences' },
      { text: 'The specification, rule by rule', link: '/specification' },
      { text: 'Which test shows which rule', link: '/specification-map' },
      { text: 'How the rules are proved', link: '/guide/proof' },
      { text: 'Figures', link: '/performance' },
      { text: 'Decisions', link: '/decisions' },
    ],
  },
];

const reference: DefaultTheme.SidebarItem[] = [
  {
    text: 'Reference',
    items: [
      { text: 'Overview', link: '/reference/' },
      { text: 'Endpoints', link: '/reference/endpoints' },
      { text: 'Scopes', link: '/reference/scopes' },
      { text: 'Limits', link: '/reference/limits' },
      { text: 'Retries', link: '/reference/retries' },
      { text: 'Failure codes', link: '/reference/failure-codes' },
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
      { text: 'How to handle them', link: '/guide/errors' },
      { text: 'Every error, one by one', link: '/errors/' },
    ],
  },
  { text: 'Classes', items: pagesOf(errorPages) },
  { text: 'Failure codes', items: pagesOf(failurePages) },
];

function pagesOf(pages: object): DefaultTheme.SidebarItem[] {
  return Object.keys(pages).map((name) => ({ text: name, link: `/errors/${name}` }));
}

const examples: DefaultTheme.SidebarItem = {
  text: 'Examples',
  items: [
    { text: 'How they run', link: '/examples/' },
    ...Object.entries({ ...exampleTitles, ...nodeExampleTitles }).map(([id, text]) => ({
      text,
      link: `/examples/${id}`,
    })),
  ],
};

export const sidebar: DefaultTheme.Sidebar = {
  '/start/': [start, ...guides],
  '/guide/': [start, ...guides],
  '/errors/': errors,
  '/specification': [start, ...guides],
  '/decisions': [start, ...guides],
  '/performance': [start, ...guides],
  '/examples/': [examples],
  '/reference/': reference,
};
