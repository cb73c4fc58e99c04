import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { beforeAll, expect, inject, test } from 'vitest';
import { indexOptions, searchOptions, synonyms } from '../../docs/.vitepress/search.js';
import { root } from '../../tools/entries.js';

let search: (query: string) => string[];
let searchSections: (query: string) => string[];

// VitePress's search box uses the same index and options.
beforeAll(async () => {
  const folder = join(inject('site'), 'assets/chunks');
  const [file = ''] = readdirSync(folder).filter((name) => name.startsWith('@localSearchIndex'));
  const { default: json } = await import(pathToFileURL(join(folder, file)).href);
  const index = MiniSearch.loadJSON(json, {
    storeFields: ['title', 'titles'],
    ...indexOptions,
    searchOptions,
  });
  searchSections = (query) => index.search(query).map(({ id }) => String(id));
  search = (query) =>
    searchSections(query).map((id) => id.replace(/^\/(worktrack\/)?|(\.html)?(#.*)?$/g, ''));
});

test.each([
  // These are questions from users who don't know the names yet.
  ['how do I simulate a 500', 'testing/control-the-mock-server'],
  ['mock API in tests', 'testing/'],
  ['Next.js', 'testing/server-rendered-apps'],
  ['bundle size', 'performance', 'guide/browser'],
  ['test isolation', 'testing/'],
  ['upsert', 'guide/bulk-operations', 'guide/keep-in-sync'],
  ['webhook', 'guide/react-to-changes'],
  ['too many requests', 'errors/rate_limited', 'guide/rate-limits', 'errors/RateLimitError'],
  ['getting started', 'quick-start'],
  ['first program', 'quick-start'],
  ['retry rules', 'reference/retries', 'guide/retries-and-timeouts'],
  [
    'createMockServer options',
    'reference/api/mock-server/interfaces/MockServerOptions',
    'reference/api/mock-server/',
  ],
  ['duplicates', 'guide/retries-and-timeouts', 'guide/import-a-million-tickets', 'guide/bulk-operations'],
  // Exact names
  ['tickets.move', 'reference/operations/tickets.move'],
  ['createMockServer', 'reference/api/mock-server/'],
  ['UnprocessableError', 'errors/UnprocessableError'],
  ['wip_limit_reached', 'errors/wip_limit_reached'],
  ['MockServerOptions', 'reference/api/mock-server/interfaces/MockServerOptions'],
  ['Playground', 'playground'],
  ['Performance', 'performance'],
  // Topics
  ['install', 'quick-start'],
  ['MSW', 'testing/msw'],
  ['Vitest', 'testing/vitest'],
  ['Jest', 'testing/jest'],
  ['CI', 'testing/ci'],
  ['CLI', 'cli'],
  ['429', 'guide/rate-limits', 'errors/rate_limited', 'errors/RateLimitError'],
  ['pagination', 'guide/pagination'],
  ['timeout', 'guide/retries-and-timeouts'],
  ['proxy', 'guide/transports-and-proxies'],
  ['WIP limit', 'errors/wip_limit_reached', 'examples/wip-limits'],
  ['Docker', 'testing/host-a-mock-server'],
  ['seed data', 'testing/seed-data'],
  ['rate limit', 'guide/rate-limits'],
  ['authentication', 'guide/authentication-and-scopes'],
  ['error codes', 'reference/error-codes'],
  ['changelog', 'changelog'],
  ['browser', 'guide/browser'],
])('one of the first two search results for "%s" is the most useful page', (query, ...pages) => {
  const results = search(query).slice(0, 2);
  expect(
    results.some((page) => pages.includes(page)),
    results.join(', '),
  ).toBe(true);
});

test.each(['tickets.move', 'UnprocessableError', 'wip_limit_reached', 'createMockServer'])(
  'the first search result for the exact name %s is its reference page',
  (name) => {
    expect(search(name)[0]).toMatch(new RegExp(`${name}$|^reference/api/mock-server/`));
  },
);

test('search ignores the list of links at the end of a page', () => {
  const found = ['next steps', 'learn the client basics', 'open the playground'].flatMap(searchSections);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((id) => id.endsWith('#next-steps'))).toEqual([]);
});

test('every page in the list of synonyms for the search exists', () => {
  const missing = Object.keys(synonyms).filter((page) => !existsSync(join(root, 'docs', page)));
  expect(missing).toEqual([]);
});
