/**
 * A copy of a record that shares nothing with it. Records are flat but for lists and objects of one
 * level; rules answer with the state's own, since an answer only writes them down, and whoever
 * hands a record to a test hands out a copy.
 */
export function copyOf<Item extends object>(record: Item): Item {
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
