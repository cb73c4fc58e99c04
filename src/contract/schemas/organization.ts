import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { type Schema, string } from './fields.js';

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
