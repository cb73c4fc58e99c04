import { type OperationId, operationIds, operationOf } from '../../../src/contract/index.js';
import { inputSchemaOf, responseShape } from './input-schema.js';
import { descriptions, titleOf } from './operation-texts.js';
import { read } from './read-operation.js';
import { type Annotations, type Tool, toolNameOf } from './tool.js';
import { alwaysAsks, write } from './write-operation.js';

/**
 * Creates one tool per operation in the contract.
 *
 * @param mayHaveDefaultBoard whether tickets can be created without a board
 */
export const operationTools = (mayHaveDefaultBoard: boolean): Tool[] =>
  operationIds.map((id) => operationTool(id, mayHaveDefaultBoard));

function operationTool(id: OperationId, mayHaveDefaultBoard: boolean): Tool {
  return {
    name: toolNameOf(id),
    title: titleOf(id),
    description: descriptions[id] ?? `${operationOf(id).summary}.`,
    inputSchema: inputSchemaOf(id, mayHaveDefaultBoard),
    annotations: annotationsOf(id),
    hasRows: responseShape(id).isList,
    operations: [id],
    alwaysAsks: alwaysAsks(id),
    run: (args, call) => (operationOf(id).method === 'GET' ? read(id, args, call) : write(id, args, call)),
  };
}

/**
 * GET operations are read-only. PATCH and DELETE operations are destructive. Notifications are also
 * destructive, because they can't be undone.
 */
function annotationsOf(id: OperationId): Annotations {
  const { method, idempotent } = operationOf(id);
  if (method === 'GET') return { readOnlyHint: true };
  const destructive = method === 'PATCH' || alwaysAsks(id);
  return { destructiveHint: destructive, ...(idempotent && { idempotentHint: true }) };
}
