/** Returns a copy of an object without its undefined fields. */
export const definedFields = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
