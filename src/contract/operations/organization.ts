import { operation } from '../operation.js';
import { organization } from '../schemas/organization.js';

export const organizationOperations = /* @__PURE__ */ (() => ({
  'organization.get': operation({
    number: 1,
    method: 'GET',
    path: '/organizations/{organization}',
    scope: 'organization:read',
    status: 200,
    response: organization,
  }),
}))();
