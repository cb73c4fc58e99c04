import { type OperationId, operationIds } from '../../src/contract/index.js';
import { nearestOf } from '../../src/shared/did-you-mean.js';

/**
 * A `TypeError` about a value that the caller passed. Admin routes respond to it with 422. They respond to
 * any other `TypeError` with 500, because it indicates a bug in the server.
 */
export class InvalidInputError extends TypeError {}

/**
 * Checks that an operation exists, because a test with a mistyped name would pass without testing anything.
 *
 * @param where the `MockServer` member to name in the error message, such as `faults`
 * @throws TypeError if the operation is unknown; the message suggests the right name
 */
export function requireOperation(where: string, id: OperationId): void {
  if (operationIds.includes(id)) return;
  const nearest = nearestOf(String(id), operationIds);
  throw new InvalidInputError(
    `${where}: unknown operation ${JSON.stringify(id)}${nearest ? `; did you mean "${nearest}"?` : ''}`,
  );
}
