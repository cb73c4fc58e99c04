import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { lenientEnum, type Schema, string } from './fields.js';

/** Who created a record: through the API always the credential, shown by its name. */
export interface Actor {
  type: ActorType;
  id: string;
  name: string;
}

export type ActorType = (typeof actorTypes)[number];
export const actorTypes = ['api_credential', 'user'] as const;

/** A related record by id and name: an assignee, an editor, a tag. */
export interface Reference {
  id: string;
  name: string;
}

export const actor = lazy<Schema<Actor>>(() =>
  z.looseObject({
    type: lenientEnum<ActorType>(),
    id: string(),
    name: string(),
  }),
);

export const reference = lazy<Schema<Reference>>(() =>
  z.looseObject({
    id: string(),
    name: string(),
  }),
);
