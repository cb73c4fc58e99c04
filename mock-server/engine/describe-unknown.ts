import { operationIds, operationOf } from '../../src/contract/index.js';
import { pathPrefix } from '../../src/wire/index.js';

/** What to say of a request that no operation answers, with the operation that comes nearest. */
export function describeUnknown(method: string, path: string): string {
  const below = path.startsWith(`${pathPrefix}/`) ? path.slice(pathPrefix.length) : path;
  const segments = below.split('/');
  let nearest = operationIds[0];
  let least = Number.POSITIVE_INFINITY;
  for (const id of operationIds) {
    const operation = operationOf(id);
    const filled = operation.path
      .split('/')
      .map((part, index) => (part.startsWith('{') ? segments[index] || part : part))
      .join('/');
    const far = editDistance(filled, below) + (operation.method === method ? 0 : 2);
    if (far < least) [nearest, least] = [id, far];
  }
  const hint = below === path && path !== pathPrefix ? ` Paths begin with ${pathPrefix}.` : '';
  const answer = `No operation answers ${method} ${path}.${hint}`;
  // Whoever opens the bare address has meant none.
  if (path === '/') return answer;
  const operation = nearest && operationOf(nearest);
  return `${answer} The nearest is ${operation?.method} ${pathPrefix}${operation?.path} (${nearest}).`;
}

/** How many characters have to be put in, left out or replaced to make one text the other. */
function editDistance(one: string, other: string): number {
  const [short, long] = [one.slice(0, 200), other.slice(0, 200)];
  let row = Array.from({ length: long.length + 1 }, (_, index) => index);
  for (let i = 1; i <= short.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= long.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (short[i - 1] === long[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
