/** Adds the defaults of omitted fields. A field that has no default is a compile error. */
export function fillDefaults<Defaults extends object, Fields extends object>(
  defaults: Defaults,
  fields: Fields & {
    [Name in keyof Fields]: Name extends keyof Defaults ? Defaults[Name] | undefined : never;
  },
): Defaults {
  const filled = { ...defaults };
  for (const name in defaults) {
    const value = (fields as Partial<Defaults>)[name];
    if (value !== undefined) filled[name] = value;
  }
  return filled;
}
