import { type OperationId, operationIds } from '../../src/contract/index.js';
import { nearestOf } from '../../src/shared/did-you-mean.js';

/**
 * Checks that an operation exists. With a typo in its name, a test would pass without testing anything.
 *
 * @param where the called function, for the message
 * @throws TypeError that suggests the right name
 */
export function requireOperation(where: string, id: OperationId): void {
  if (operationIds.includes(id)) return;
  const nearest = nearestOf(String(id), operationIds);
  throw new TypeError(
    `${where}: there is no operation ${JSON.stringify(id)}${nearest ? `; did you mean "${nearest}"?` : ''}`,
  );
}
