import * as z from 'zod/mini';
import { lazy } from '../lazy.js';
import { lenientEnum, type Schema, string } from './fields.js';

/** The creator of a record. For records created through the API, this is the credential. */
export interface Actor {
  type: ActorType;
  id: string;
  name: string;
}

export type ActorType = (typeof actorTypes)[number];
export const actorTypes = ['api_credential', 'user'] as const;

/** The ID and name of a related record, such as an assignee, an editor, or a tag. */
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
