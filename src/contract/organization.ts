import * as z from 'zod/mini';
import { string } from './fields.js';
import { lazy } from './lazy.js';
import { operation } from './operation.js';
import type { Schema } from './zod-internals.js';

/** An organization, which owns projects, documents, and credentials. */
export interface Organization {
  id: string;
  name: string;
  /** An ISO 8601 date-time in UTC. */
  created_at: string;
  /** An ISO 8601 date-time in UTC. */
  updated_at: string;
}

export const organization = lazy<Schema<Organization>>(() =>
  z.looseObject({
    id: string(),
    name: string(),
    created_at: string(),
    updated_at: string(),
  }),
);

export const organizationOperations = /* @__PURE__ */ (() => ({
  'organization.get': operation({
    summary: 'Get the organization',
    number: 1,
    method: 'GET',
    path: '/organizations/{organization}',
    scope: 'organization:read',
    status: 200,
    response: organization,
  }),
}))();
