/** The examples in the order in which a person would read them: file in `examples/`, and title. */
export const exampleTitles = {
  'first-board': 'A first board',
  'wip-limits': 'WIP limits',
  errors: 'Errors',
  pagination: 'Pagination',
  'documents-and-tags': 'Documents and tags',
  notifications: 'Notifications',
  analytics: 'Analytics',
  'board-deletion': 'Deleting a board',
  scopes: 'Scopes',
  'retries-and-faults': 'Retries and faults',
  'testing-with-fetch': 'A test with its own server',
  'team-day': "A team's day",
} as const;

/** Those that need Node.js itself: their pages show them, and say how to run them. */
export const nodeExampleTitles = { 'import-csv': 'An import that can be stopped' } as const;

export type ExampleId = keyof typeof exampleTitles;
