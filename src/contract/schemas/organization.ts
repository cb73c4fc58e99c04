import * as z from 'zod/mini';
import type { Schema } from './fields.js';

/** An organization: the owner of projects, documents and credentials. */
export interface Organization {
  id: string;
  name: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
}

export const organizationSchema: Schema<Organization> = /* @__PURE__ */ z.looseObject({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
