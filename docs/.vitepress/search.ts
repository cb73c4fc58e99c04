import { synonyms } from './search-synonyms.js';

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
