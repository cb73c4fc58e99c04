import { SeedError } from './seed-error.js';

/** Finds records by ID or name. */
export class Lookup<Item extends { id: string; name: string }> {
  readonly #kind: string;
  readonly #byId = new Map<string, Item>();
  readonly #byName = new Map<string, Item[]>();

  /** @param kind what to call a record in messages, such as `user` */
  constructor(kind: string) {
    this.#kind = kind;
  }

  add(item: Item, alias = item.name): void {
    this.#byId.set(item.id, item);
    for (const name of new Set([item.name, alias])) {
      const namesakes = this.#byName.get(name);
      if (namesakes) namesakes.push(item);
      else this.#byName.set(name, [item]);
    }
  }

  /** @throws SeedError if no record has this ID or name, or if several records have this name */
  find(text: string, path: string, owner: string): Item {
    const item = this.#byId.get(text);
    if (item) return item;
    const [first, ...others] = this.#byName.get(text) ?? [];
    if (first && others.length === 0) return first;
    throw new SeedError(
      path,
      first
        ? `${others.length + 1} ${this.#kind}s are named ${JSON.stringify(text)}; use the ID`
        : `no ${this.#kind} ${JSON.stringify(text)} in ${owner}`,
    );
  }
}
