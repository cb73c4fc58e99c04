/** Copies an object without the fields that are undefined, which count as left out. */
export const definedFields = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
