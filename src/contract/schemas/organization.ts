import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { type Schema, string } from './fields.js';

/** An organization, which owns projects, documents, and credentials. */
export interface Organization {
  id: string;
  name: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
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
