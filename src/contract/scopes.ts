/** All scopes in alphabetical order. See "Authentication" in the specification. */
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

/** A scope. Every operation requires exactly one scope. */
export type Scope = (typeof scopes)[number];
