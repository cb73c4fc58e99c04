import { boardRules } from './boards.js';
import { documentRules } from './documents.js';
import { notificationRules } from './notifications.js';
import { organizationRules } from './organization.js';
import { projectRules } from './projects.js';
import type { Rules } from './rule.js';
import { ticketRules } from './tickets.js';

/** The API's behavior: one function per operation. Omitting an operation is a compile error. */
export const rules: Rules = {
  ...organizationRules,
  ...projectRules,
  ...boardRules,
  ...ticketRules,
  ...documentRules,
  ...notificationRules,
};

export { ErrorResponse } from './error-response.js';
