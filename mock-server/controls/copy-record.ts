/**
 * Copies a record so that it shares nothing with the original. Records are flat except for lists and objects
 * of one level. Rules return parts of the state itself because responses only serialize them, but tests get a
 * copy.
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
