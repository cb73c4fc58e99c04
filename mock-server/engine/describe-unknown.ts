import { type OperationId, operationIds, operationOf } from '../../src/contract/index.js';
import { nearestOf } from '../../src/shared/did-you-mean.js';
import { pathPrefix } from '../../src/wire/index.js';

/** Describes a request that doesn't match any operation, and suggests a similar operation if there is one. */
export function describeUnknown(method: string, path: string): string {
  const hint = `${path}/`.startsWith(`${pathPrefix}/`) ? '' : ` Paths start with ${pathPrefix}.`;
  const message = `No operation matches ${method} ${path}.${hint}`;
  const nearest = nearestOperation(method, path);
  if (!nearest) return message;
  const operation = operationOf(nearest);
  return `${message} Did you mean ${operation.method} ${pathPrefix}${operation.path} (${nearest})?`;
}

/** Finds the most similar of the operations whose path has the same last word, ignoring typos. */
function nearestOperation(method: string, path: string): OperationId | undefined {
  const words = operationIds.flatMap((id) => wordsOf(operationOf(id).path));
  // Segments that aren't similar to a word, such as IDs, are undefined.
  const segments = segmentsOf(path).map((segment) => nearestOf(segment, words));
  const lastWord = segments.findLast((segment) => segment !== undefined);
  const distanceOf = (id: OperationId) => {
    const operation = operationOf(id);
    const missing = wordsOf(operation.path).filter((word) => !segments.includes(word));
    const isSameKind = operation.path.endsWith('}') === (segments.at(-1) === undefined);
    return missing.length + (isSameKind ? 0 : 2) + (operation.method === method ? 0 : 3);
  };
  return operationIds
    .filter((id) => wordsOf(operationOf(id).path).at(-1) === lastWord)
    .sort((one, other) => distanceOf(one) - distanceOf(other))[0];
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const wordsOf = (path: string): string[] => segmentsOf(path).filter((segment) => !segment.startsWith('{'));
