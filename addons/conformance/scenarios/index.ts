import type { Scenario } from '../scenario.js';
import { accessScenarios } from './access.js';
import { boardScenarios } from './boards.js';
import { documentScenarios } from './documents.js';
import { limitScenarios } from './limits.js';
import { listScenarios } from './lists.js';
import { projectScenarios } from './projects.js';
import { scopeScenarios } from './scopes.js';
import { ticketScenarios } from './tickets.js';

/** All rules that can be checked over HTTP. */
export const scenarios: readonly Scenario[] = [
  ...accessScenarios,
  ...scopeScenarios,
  ...projectScenarios,
  ...boardScenarios,
  ...ticketScenarios,
  ...listScenarios,
  ...documentScenarios,
  ...limitScenarios,
];
