/** Groups items by key, in the order in which the keys first appear. Node.js 20 doesn't have `Map.groupBy`. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Splits a list into batches of at most `size` items. */
export function* batchesOf<Item>(items: readonly Item[], size: number): Generator<Item[], void, undefined> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Returns a function that sorts items by key. Compares code units, so the order is the same in all locales. */
export const by =
  <Item>(keyOf: (item: Item) => string | number) =>
  (one: Item, other: Item): number => {
    const before = keyOf(one);
    const after = keyOf(other);
    return before < after ? -1 : before > after ? 1 : 0;
  };
