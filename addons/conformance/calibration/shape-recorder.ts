import {
  anyName,
  type Shape,
  type Shapes,
  type ValueType,
  valueTypes,
} from '../../../mock-server/deployment/shape.js';
import { type OperationId, operationIds, operationOf, parseDateTime } from '../../../src/contract/index.js';
import { definitionOf } from '../../../src/contract/zod-internals.js';
import { isObject } from '../../../src/shared/json.js';
import { by } from '../../shared/lists.js';

/**
 * Records the shapes of responses: field names and types, never values. The result doesn't depend on the
 * order of the responses, so an unchanged deployment always has the same shapes.
 */
export class ShapeRecorder {
  readonly #roots = new Map<OperationId, Node>();
  /** The values that identify records. They can also be field names, as in `{ "usr_1": 3 }`. */
  readonly #identities = new Set<string>();
  /**
   * The names of all fields in the contract's responses. They aren't data, even if a board happens to have the
   * same name, such as "done".
   */
  readonly #contractNames = new Set(operationIds.flatMap((id) => namesIn(operationOf(id).response)));

  /** @param body the parsed response */
  add(operation: OperationId, body: unknown): void {
    const root = this.#roots.get(operation) ?? newNode();
    this.#roots.set(operation, root);
    this.#record(root, body, 0);
  }

  /** @param pathOf returns the path from an operation's body to its record or list, if it's known */
  shapes(pathOf: (operation: OperationId) => string | undefined): Shapes {
    const entries = [...this.#roots].flatMap(([operation, root]) => {
      const path = pathOf(operation);
      const node = path === undefined ? undefined : nodeAt(root, path);
      return node ? [[operation, this.#toShape(node)] as const] : [];
    });
    return Object.fromEntries(entries.sort(by(([operation]) => operation)));
  }

  #record(node: Node, value: unknown, depth: number): void {
    node.types.add(typeOf(value));
    if (depth >= maxDepth) return;
    if (Array.isArray(value)) {
      if (value.length > 0) node.items ??= newNode();
      for (const item of value.slice(0, maxItems)) this.#record(node.items as Node, item, depth + 1);
    } else if (isObject(value)) {
      node.objects += 1;
      for (const [name, content] of Object.entries(value)) {
        if (identifying.has(name) && typeof content === 'string') this.#identities.add(content);
        const field = node.fields.get(name) ?? { count: 0, node: newNode() };
        field.count += 1;
        node.fields.set(name, field);
        this.#record(field.node, content, depth + 1);
      }
    }
  }

  #toShape({ types, objects, fields, items }: Node): Shape {
    const named = new Map<string, Field>();
    for (const [name, field] of fields) {
      const key = fields.size <= maxNames && this.#isName(name) ? name : anyName;
      const known = named.get(key);
      named.set(key, known ? { count: objects, node: merge(known.node, field.node) } : field);
    }
    const toField = ([name, { count, node }]: [string, Field]) => {
      const isOptional = name !== anyName && count < objects;
      return [
        name,
        { ...this.#toShape(node), ...(isOptional && { seen: `${count} of ${objects}` }) },
      ] as const;
    };
    return {
      types: valueTypes.filter((type) => types.has(type) && !(type === 'date-time' && types.has('string'))),
      ...(objects > 0 && {
        fields: Object.fromEntries([...named].sort(by(([name]) => name)).map(toField)),
      }),
      ...(items && { items: this.#toShape(items) }),
    };
  }

  #isName(name: string): boolean {
    if (this.#contractNames.has(name)) return true;
    return /^[a-z_$@][\w$-]{0,63}$/i.test(name) && !looksLikeId.test(name) && !this.#identities.has(name);
  }
}

function namesIn(schema: object | undefined): string[] {
  if (!schema) return [];
  const { shape = {}, element, innerType } = definitionOf(schema);
  const fields = Object.entries(shape).flatMap(([name, field]) => [name, ...namesIn(field)]);
  return [...fields, ...namesIn(element), ...namesIn(innerType)];
}

interface Node {
  types: Set<ValueType>;
  /** The number of times the value was an object. */
  objects: number;
  fields: Map<string, Field>;
  items: Node | undefined;
}

interface Field {
  count: number;
  node: Node;
}

const maxDepth = 20;

/** The maximum number of items to record per list. */
const maxItems = 200;

/** The maximum number of field names. An object with more fields counts as a map whose keys are data. */
const maxNames = 100;

const identifying = new Set(['id', 'name', 'email', 'slug', 'key', 'title']);

/**
 * Matches ULIDs, UUIDs, hashes, and names that contain five or more consecutive digits, such as `usr_48213`.
 */
const looksLikeId = /^[0-9A-HJKMNP-TV-Z]{26}$|[\da-f]{8}-[\da-f]{4}-|^(?=.*\d)[\da-f]{16,}$|\d{5}/i;

const newNode = (): Node => ({ types: new Set(), objects: 0, fields: new Map(), items: undefined });

function typeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return isDateTime(value) ? 'date-time' : 'string';
  return typeof value as 'object' | 'number' | 'boolean';
}

const isDateTime = (text: string): boolean => text.length < 40 && parseDateTime(text) !== undefined;

function nodeAt(root: Node, path: string): Node | undefined {
  let node: Node | undefined = root;
  for (const name of path === '' ? [] : path.split('.')) node = node?.fields.get(name)?.node;
  return node;
}

function merge(one: Node, other: Node): Node {
  const fields = new Map(one.fields);
  for (const [name, { count, node }] of other.fields) {
    const known = fields.get(name);
    fields.set(name, known ? { count: known.count + count, node: merge(known.node, node) } : { count, node });
  }
  return {
    types: new Set([...one.types, ...other.types]),
    objects: one.objects + other.objects,
    fields,
    items: one.items && other.items ? merge(one.items, other.items) : (one.items ?? other.items),
  };
}
