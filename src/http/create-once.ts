import { isWorktrackError } from '../errors/index.js';

/** Functions that find and create a record. */
interface CreateOnce<Item> {
  find(): Promise<Item | undefined>;
  create(): Promise<Item>;
}

/**
 * Creates a record unless it already exists. If the response is lost, searches for the record again, because
 * the server may have created it.
 */
export async function createOnce<Item>({ find, create }: CreateOnce<Item>): Promise<Item> {
  const existing = await find();
  if (existing) return existing;
  try {
    return await create();
  } catch (error) {
    if (!isWorktrackError(error) || (error.outcome !== 'unknown' && error.outcome !== 'done')) throw error;
    const created = await find().catch(() => undefined);
    if (created) return created;
    throw error;
  }
}

/** Returns the first matching item. */
export async function findItem<Item>(
  items: AsyncIterable<Item>,
  matches: (item: Item) => boolean,
): Promise<Item | undefined> {
  for await (const item of items) if (matches(item)) return item;
  return undefined;
}
