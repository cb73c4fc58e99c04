import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { beforeAll, expect, inject, test } from 'vitest';
import { searchOptions } from '../../docs/.vitepress/search.js';

let search: (query: string) => string[];

// VitePress's search box searches the same index with the same options.
beforeAll(async () => {
  const folder = join(inject('site'), 'assets/chunks');
  const [file = ''] = readdirSync(folder).filter((name) => name.startsWith('@localSearchIndex'));
  const { default: json } = await import(pathToFileURL(join(folder, file)).href);
  const index = MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions,
  });
  search = (query) =>
    index.search(query).map(({ id }) => String(id).replace(/^\/(worktrack\/)?|\.html.*$/g, ''));
});

test.each([
  ['install', 'quick-start'],
  ['quick start', 'quick-start'],
  ['MSW', 'testing/msw'],
  ['Vitest', 'testing/vitest'],
  ['Jest', 'testing/jest'],
  ['CI', 'testing/ci'],
  ['CLI', 'cli'],
  ['429', 'guide/rate-limits', 'errors/rate_limited', 'errors/RateLimitError'],
  ['rate limit', 'guide/rate-limits'],
  ['pagination', 'guide/pagination'],
  ['retries', 'guide/retries-and-timeouts'],
  ['timeout', 'guide/retries-and-timeouts'],
  ['proxy', 'guide/transports-and-proxies'],
  ['browser', 'guide/browser'],
  ['WIP limit', 'errors/wip_limit_reached', 'examples/wip-limits'],
  ['error codes', 'reference/error-codes'],
  ['authentication', 'guide/authentication-and-scopes'],
  ['seed data', 'testing/seed-data'],
  ['Docker', 'testing/host-a-mock-server'],
  ['changelog', 'changelog'],
])('the first two search results for "%s" include the most useful page', (query, ...pages) => {
  const results = search(query).slice(0, 2);
  expect(
    results.some((page) => pages.includes(page)),
    results.join(', '),
  ).toBe(true);
});
