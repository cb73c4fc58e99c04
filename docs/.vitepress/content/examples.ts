/** The examples in reading order: name of the file in `examples/`, and title. */
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
  'team-day': "A team's day",
} as const;

/** Examples that need Node.js. Their pages show the code and explain how to run it. */
export const nodeExampleTitles = {
  'import-csv': 'Resumable CSV import',
  'mcp-day': 'An agent over MCP',
} as const;

export type ExampleId = keyof typeof exampleTitles;
