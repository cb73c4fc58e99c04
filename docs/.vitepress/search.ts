/**
 * Ranks guides first, then errors and operations, then generated types. VitePress serializes `boostDocument`,
 * so the function can't use outer variables.
 */
export const searchOptions = {
  fuzzy: 0.15,
  prefix: true,
  boost: { title: 6, titles: 2, text: 1 },
  boostDocument: (id: string) => {
    if (id.includes('/reference/api/')) return 0.1;
    if (id.includes('/reference/operations/')) return 0.5;
    if (id.includes('/examples/')) return 0.7;
    return id.includes('#') ? 1.5 : 3;
  },
};
