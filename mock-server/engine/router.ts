import {
  type Method,
  type Operation,
  type OperationId,
  operationIds,
  operationOf,
} from '../../src/contract/index.js';
import { nearestOf } from '../../src/shared/did-you-mean.js';
import { decodeSegment, pathPrefix } from '../../src/wire/index.js';

/** The result of matching a method and path. */
export type Match =
  | OperationMatch
  | { kind: 'wrong_method'; allowed: readonly Method[] }
  | { kind: 'unknown' };

/** An operation, and the path parameters keyed by name. */
export interface OperationMatch {
  kind: 'operation';
  operation: Operation;
  params: Record<string, string>;
}

/**
 * Finds the operation for a request by matching the path segment by segment.
 *
 * `rou3` isn't used because it ignores a trailing slash, so `/tickets/1/` would match. It also doesn't decode
 * parameters or report a path's allowed methods. Workarounds would make it slower than this function.
 *
 * @param path the percent-encoded URL path, without the query
 */
export function matchRoute(method: string, path: string): Match {
  if (!path.startsWith(prefix)) return { kind: 'unknown' };
  const values: string[] = [];
  let node: Node | undefined = root;
  for (const segment of path.slice(prefix.length).split('/')) {
    const literal: Node | undefined = node.literals.get(segment);
    if (literal) {
      node = literal;
      continue;
    }
    const value: string | undefined = node.parameter && segment ? decodeSegment(segment) : undefined;
    if (!node.parameter || value === undefined) return { kind: 'unknown' };
    values.push(value);
    node = node.parameter;
  }
  const operation = node.operations.get(method as Method);
  if (operation) return { kind: 'operation', operation, params: named(operation, values) };
  if (node.operations.size === 0) return { kind: 'unknown' };
  return { kind: 'wrong_method', allowed: [...node.operations.keys()] };
}

const prefix = `${pathPrefix}/`;

interface Node {
  literals: Map<string, Node>;
  parameter?: Node;
  operations: Map<Method, Operation>;
}

const newNode = (): Node => ({ literals: new Map(), operations: new Map() });

/** The operations as a tree with one level per path segment. */
const root = operationIds.reduce((tree, id) => {
  const operation = operationOf(id);
  let node = tree;
  for (const segment of operation.path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      node.parameter ??= newNode();
      node = node.parameter;
    } else {
      const next = node.literals.get(segment) ?? newNode();
      node.literals.set(segment, next);
      node = next;
    }
  }
  node.operations.set(operation.method, operation);
  return tree;
}, newNode());

function named(operation: Operation, values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  operation.parameters.forEach((name, index) => {
    params[name] = values[index] as string;
  });
  return params;
}

/** Describes a request that doesn't match any operation, and suggests a similar operation if there is one. */
export function describeUnknown(method: string, path: string): string {
  const hint = `${path}/`.startsWith(`${pathPrefix}/`) ? '' : ` Paths start with ${pathPrefix}.`;
  const message = `No operation matches ${method} ${path}.${hint}`;
  const nearest = nearestOperation(method, path);
  if (!nearest) return message;
  const operation = operationOf(nearest);
  return `${message} Did you mean ${operation.method} ${pathPrefix}${operation.path} (${nearest})?`;
}

/**
 * The penalty for operations with a different method. It's greater than any difference between paths, so
 * operations with the request's method come first.
 */
const otherMethod = 10;

/** Finds the most similar operation whose path ends with the same word, allowing for typos. */
function nearestOperation(method: string, path: string): OperationId | undefined {
  const words = operationIds.flatMap((id) => wordsOf(operationOf(id).path));
  // A segment that isn't similar to any word, such as an ID, becomes undefined.
  const segments = segmentsOf(path).map((segment) => nearestOf(segment, words));
  const lastWord = segments.findLast((segment) => segment !== undefined);
  const distanceOf = (id: OperationId) => {
    const operation = operationOf(id);
    const missing = wordsOf(operation.path).filter((word) => !segments.includes(word));
    const isSameKind = operation.path.endsWith('}') === (segments.at(-1) === undefined);
    return missing.length + (isSameKind ? 0 : 2) + (operation.method === method ? 0 : otherMethod);
  };
  return operationIds
    .filter((id) => wordsOf(operationOf(id).path).at(-1) === lastWord)
    .sort((one, other) => distanceOf(one) - distanceOf(other))[0];
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const wordsOf = (path: string): string[] => segmentsOf(path).filter((segment) => !segment.startsWith('{'));
