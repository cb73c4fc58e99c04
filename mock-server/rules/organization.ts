import type { RulesOf } from './rule.js';
import { viewOrganization } from './views.js';

export const organizationRules: RulesOf<'organization'> = {
  'organization.get': ({ organization }) => viewOrganization(organization),
};
