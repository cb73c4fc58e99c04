import { operation } from '../operation.js';
import { organizationSchema } from '../schemas/organization.js';

export const organizationOperations = /* @__PURE__ */ (() => ({
  'organization.get': operation({
    number: 1,
    method: 'GET',
    path: '/organizations/{organization}',
    scope: 'organization:read',
    status: 200,
    response: organizationSchema,
  }),
}))();
