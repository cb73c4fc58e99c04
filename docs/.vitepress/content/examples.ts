/** The example titles, keyed by file name, in sidebar order. */
export const exampleTitles = {
  'first-board': 'First board',
  'wip-limits': 'WIP limits',
  errors: 'Errors',
  pagination: 'Pagination',
  'documents-and-tags': 'Documents and tags',
  notifications: 'Notifications',
  analytics: 'Analytics',
  'board-deletion': 'Delete a board',
  scopes: 'Scopes',
  'retries-and-faults': 'Retries and faults',
  'testing-with-fetch': 'Test with a mock server',
  'explore-failures': 'Explore failures',
  'team-day': "A team's day",
} as const;

/** The titles of the examples that run only in Node.js. */
export const nodeExampleTitles = {
  'import-csv': 'Resumable CSV import',
  'sync-csv': 'Sync a project with a CSV file',
  'mcp-day': 'Run an agent over MCP',
} as const;

export type ExampleId = keyof typeof exampleTitles;
