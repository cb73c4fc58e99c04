/**
 * Runs at most four calls at a time, so one tool call can't use up the rate limit. Returns the results in the
 * same order as the items.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => PromiseLike<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, items.length) }, worker));
  return results;
}
