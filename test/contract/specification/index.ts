import { errorAndLimitStatements } from './errors-and-limits.js';
import { fieldStatements } from './fields.js';
import { operationStatements } from './operations.js';
import { serviceStatements } from './service.js';
import type { Statement } from './statement.js';

export { choices } from './choices.js';
export { limitRows } from './errors-and-limits.js';
export type { Statement } from './statement.js';

/** Every sentence of the specification that states a rule, a limit, a status or a scope, in its order. */
export const statements: readonly Statement[] = [
  ...serviceStatements,
  ...fieldStatements,
  ...operationStatements,
  ...errorAndLimitStatements,
].sort((a, b) => place(a.id) - place(b.id));

function place(id: string): number {
  const [section = 0, number = 0] = id.slice(2).split('.').map(Number);
  return section * 1000 + number;
}
