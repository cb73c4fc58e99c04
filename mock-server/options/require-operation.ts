import { type OperationId, operationIds } from '../../src/contract/index.js';
import { nearestOf } from '../../src/shared/did-you-mean.js';

/**
 * Sees to it that an operation which a test names is one; a slip would make the test hold for nothing.
 *
 * @param where what was asked, the beginning of the message
 * @throws TypeError that names the operation which may have been meant
 */
export function requireOperation(where: string, id: OperationId): void {
  if (operationIds.includes(id)) return;
  const nearest = nearestOf(String(id), operationIds);
  throw new TypeError(
    `${where}: there is no operation ${JSON.stringify(id)}${nearest ? `; did you mean "${nearest}"?` : ''}`,
  );
}
