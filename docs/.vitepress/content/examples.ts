/** The examples in the order in which a person would read them: file in `examples/`, and title. */
export const exampleTitles = {
  'first-board': 'First board',
  'wip-limits': 'WIP limits',
  errors: 'Errors',
  pagination: 'Pagination',
  'documents-and-tags': 'Documents and tags',
  notifications: 'Notifications',
  analytics: 'Analytics',
  'board-deletion': 'Deleting a board',
  scopes: 'Scopes',
  'retries-and-faults': 'Retries and faults',
  'testing-with-fetch': 'A test with its own mock server',
  'team-day': "A team's day",
} as const;

/** Those that need Node.js itself: their pages show them, and say how to run them. */
export const nodeExampleTitles = {
  'import-csv': 'Resumable CSV import',
  'mcp-day': 'An agent over MCP',
} as const;

export type ExampleId = keyof typeof exampleTitles;
