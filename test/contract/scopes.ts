import type { Scope } from 'worktrack/contract';

/** The specification's table of scopes with the numbers of their operations, copied by hand. */
export const scopeTable: Record<Scope, readonly number[]> = {
  'analytics:read': [17],
  'boards:read': [9],
  'boards:write': [10, 11, 12, 13],
  'comments:write': [22],
  'document_comments:write': [28],
  'documents:read': [23, 25],
  'documents:write': [24, 26, 27],
  'notifications:write': [29],
  'organization:read': [1],
  'projects:read': [2, 4, 7, 8, 30],
  'projects:write': [3, 5, 6],
  'tickets:read': [14, 18],
  'tickets:write': [15, 16, 19, 20, 21],
};

export const everyScope = Object.keys(scopeTable) as Scope[];
