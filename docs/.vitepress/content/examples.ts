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
  'export-project': 'Export a project',
  'board-migration': 'Migrate boards',
  'release-notes': 'Release notes from done tickets',
  'ci-bot': 'CI bot that opens and closes tickets',
  'incident-response': 'Incident response',
  'weekly-report': 'Weekly report',
  'multi-tenant': 'Multi-tenant service',
} as const;

/** The titles of the examples that run only in Node.js. */
export const nodeExampleTitles = {
  'import-csv': 'Resumable CSV import',
  'sync-csv': 'Sync a project with a CSV file',
  'react-to-changes': 'React to changes',
  'mcp-day': 'Connect an agent over MCP',
} as const;

export type ExampleId = keyof typeof exampleTitles;
