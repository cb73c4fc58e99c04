import type { MarkdownRenderer } from 'vitepress';

/** A section of a page in the index. */
interface Section {
  id: string;
  title?: string;
  /** The titles of the section's parents. A page's first section has none. */
  titles?: string[];
}

/**
 * Options for VitePress's search index. Names such as `tickets.move` and `wip_limit_reached` are also indexed as
 * a whole. VitePress serializes the functions, so they can't use outer variables.
 */
export const indexOptions = {
  fields: ['title', 'titles', 'text', 'synonyms'],
  /** Called only when the index is built, so it can use the table of synonyms. */
  extractField: (section: object, field: string): string =>
    field === 'synonyms'
      ? synonymsOf(section as Section)
      : ((section as Record<string, string>)[field] ?? ''),
  tokenize: (text: string): string[] => [
    ...text.split(/[\n\r\p{Z}\p{P}]+/u),
    ...(text.match(/\w+(?:[._/-]\w+)+/g) ?? []),
  ],
  /** Ignores words that every page contains, so questions find the pages with their other words. */
  processTerm: (term: string): string | null =>
    /^(a|an|and|are|can|do|does|for|from|how|i|in|is|it|my|of|on|or|the|to|what|when|why|with|you)$/i.test(
      term,
    )
      ? null
      : term.toLowerCase(),
};

/** Ranks exact names first, then guides, then errors and operations, then generated types. */
export const searchOptions = {
  fuzzy: 0.15,
  prefix: true,
  // An exact match counts more than a longer word, such as `RetryEvent` for "retry".
  weights: { fuzzy: 0.3, prefix: 0.2 },
  boost: { title: 6, titles: 2, text: 1, synonyms: 6 },
  boostDocument: (id: string, term: string, section?: object): number => {
    const { title = '', titles = [] } = (section ?? {}) as Partial<Section>;
    const isPage = titles.length === 0;
    const name = title.replace(/^[A-Z][a-z]+( [A-Z][a-z]+)?: |\(.*\)$|<.*$/g, '');
    // The index also passes completions of a word in the query, such as `rate_limited` for "rate".
    const isExact = name.toLowerCase() === term;
    const isError = id.includes('/errors/');
    if (id.includes('/reference/api/')) return isExact && /[a-z][A-Z]/.test(name) ? 6 : 0.1;
    if (isPage && isExact) return isError ? 3 : 8;
    if (isError) return 0.8;
    if (id.includes('/reference/operations/')) return 0.5;
    if (id.includes('/examples/')) return 0.7;
    return isPage ? 2 : 1.5;
  },
};

/** Returns the synonyms for the first section of a page. */
function synonymsOf({ id, titles = [] }: Section): string {
  const page = id.replace(/\.html(#.*)?$|#.*$/, '').replace(/\/$/, '/index');
  const [, words = ''] = Object.entries(synonyms).find(([path]) => `${page}.md`.endsWith(`/${path}`)) ?? [];
  return titles.length === 0 ? words : '';
}

/** Words that users search for, by page. Search also finds the words that a page contains. */
export const synonyms: Readonly<Record<string, string>> = {
  'errors/wip_limit_reached.md': 'WIP limit full board',
  'faq-and-troubleshooting.md': 'help problem ECONNREFUSED',
  'guide/browser.md': 'bundle size CORS React Vue',
  'guide/bulk-operations.md': 'upsert batch concurrency',
  'guide/keep-in-sync.md': 'upsert mirror two-way Jira',
  'guide/logging-and-tracing.md': 'debug monitoring OpenTelemetry',
  'guide/mcp.md': 'LLM Claude agent tools',
  'guide/rate-limits.md': 'too many requests throttling quota',
  'guide/react-to-changes.md': 'webhook webhooks events polling subscribe',
  'guide/retries-and-timeouts.md': 'idempotent idempotency backoff duplicate twice',
  'performance.md': 'bundle size benchmark speed kB',
  'playground.md': 'try online sandbox demo REPL',
  'quick-start.md': 'get started getting started hello world first program',
  'reference/error-codes.md': 'error codes',
  'reference/retries.md': 'retry rules',
  'testing/control-the-mock-server.md': 'simulate 500 503 outage failure error faults',
  'testing/host-a-mock-server.md': 'Docker container Kubernetes',
  'testing/index.md': 'isolation isolate parallel mock mocking API tests',
  'testing/mock-server-over-http.md': 'Python Go Java standalone',
  'testing/server-rendered-apps.md': 'Next.js Nuxt SvelteKit Remix SSR',
};

/** The renderer that VitePress passes to `_render`. Its type comes from a different version of markdown-it. */
type Renderer = Pick<MarkdownRenderer, 'options' | 'render'> & {
  set(options: { highlight: MarkdownRenderer['options']['highlight'] }): unknown;
};

/** The part of VitePress's environment that the search index uses. */
interface PageEnvironment {
  relativePath: string;
  frontmatter?: { search?: boolean };
}

/**
 * Contributors read these pages in order, so searches for API terms don't list them. They aren't indexed, like pages
 * with `search: false` in their frontmatter.
 */
const internalPages = new Set(['contributing/how-the-rules-are-tested.md', 'decisions.md']);

/** Returns the HTML of a page for the search index, or an empty string for a page that isn't indexed. */
export function searchableHtml(markdown: Renderer, source: string, env: PageEnvironment): string {
  const html = renderWithoutColors(markdown, source, env);
  if (internalPages.has(env.relativePath) || env.frontmatter?.search === false) return '';
  return withoutNextSteps(html);
}

/**
 * Renders a page without syntax highlighting, which is the slowest part of rendering. Restores the highlighter
 * afterward, because the pages use the same renderer.
 */
function renderWithoutColors(markdown: Renderer, source: string, env: object): string {
  const { highlight } = markdown.options;
  markdown.set({ highlight: null });
  try {
    return markdown.render(source, env);
  } finally {
    markdown.set({ highlight: highlight ?? null });
  }
}

/** Removes the links at the end of a page, because they match the same queries as the pages they lead to. */
const withoutNextSteps = (html: string): string => html.replace(/<h2 id="next-steps"[\s\S]*?(?=<h2 |$)/, '');
