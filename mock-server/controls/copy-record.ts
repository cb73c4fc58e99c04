/**
 * Copies a record, including its lists and nested objects, which are at most one level deep. Otherwise, a
 * test could change the state by modifying a record it receives.
 */
export function copyRecord<Item extends object>(record: Item): Item {
  const copy = { ...record };
  for (const field of Object.keys(copy) as (keyof Item)[]) {
    const value: unknown = copy[field];
    if (Array.isArray(value)) copy[field] = value.map(shallow) as Item[keyof Item];
    else copy[field] = shallow(value) as Item[keyof Item];
  }
  return copy;
}

const shallow = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? { ...value } : value;
