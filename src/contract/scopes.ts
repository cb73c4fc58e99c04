/**
 * The thirteen scopes that a credential can have, in alphabetical order (specification, "Authentication").
 */
export const scopes = [
  'analytics:read',
  'boards:read',
  'boards:write',
  'comments:write',
  'document_comments:write',
  'documents:read',
  'documents:write',
  'notifications:write',
  'organization:read',
  'projects:read',
  'projects:write',
  'tickets:read',
  'tickets:write',
] as const;

/** A scope. Every operation requires exactly one. */
export type Scope = (typeof scopes)[number];
