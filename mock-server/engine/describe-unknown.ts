import { operationIds, operationOf } from '../../src/contract/index.js';
import { pathPrefix } from '../../src/wire/index.js';

/** Describes a request that doesn't match any operation, and suggests the most similar operation. */
export function describeUnknown(method: string, path: string): string {
  const below = path.startsWith(`${pathPrefix}/`) ? path.slice(pathPrefix.length) : path;
  const hint = below === path && path !== pathPrefix ? ` Paths start with ${pathPrefix}.` : '';
  const message = `No operation matches ${method} ${path}.${hint}`;
  // Opening the server's root in a browser isn't a typo.
  if (path === '/') return message;
  const nearest = nearestOperation(method, below);
  const operation = nearest && operationOf(nearest);
  return `${message} Did you mean ${operation?.method} ${pathPrefix}${operation?.path} (${nearest})?`;
}

function nearestOperation(method: string, path: string) {
  const segments = path.split('/');
  let nearest = operationIds[0];
  let shortest = Number.POSITIVE_INFINITY;
  for (const id of operationIds) {
    const operation = operationOf(id);
    const filled = operation.path
      .split('/')
      .map((part, index) => (part.startsWith('{') ? segments[index] || part : part))
      .join('/');
    const distance = editDistance(filled, path) + (operation.method === method ? 0 : 2);
    if (distance < shortest) [nearest, shortest] = [id, distance];
  }
  return nearest;
}

/** Returns the Levenshtein distance between two strings. */
function editDistance(one: string, other: string): number {
  const [left, right] = [one.slice(0, 200), other.slice(0, 200)];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
