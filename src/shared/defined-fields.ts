/** Copies an object without its undefined fields, which count as omitted. */
export const definedFields = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
