// `npm run size`: prints how much each import of the built package adds to an app's bundle, including
// dependencies, and fails if it exceeds its limit.
const limits = [
  { name: 'the whole client', import: '{ Worktrack }', path: '../dist/index.js', limit: '41 kB' },
  {
    name: 'only the errors',
    import: '{ NotFoundError, WorktrackError }',
    path: '../dist/index.js',
    limit: '1 kB',
  },
  {
    name: 'only the values for forms',
    import: '{ documentStatuses, limits, priorities, scopes }',
    path: '../dist/index.js',
    limit: '500 B',
  },
  { name: 'only the scopes', import: '{ scopes }', path: '../dist/contract.js', limit: '300 B' },
  { name: 'only one schema', import: '{ createBoardSchema }', path: '../dist/contract.js', limit: '6.5 kB' },
  {
    name: 'the mock server',
    import: '{ createMockServer }',
    path: '../dist/mock-server.js',
    limit: '53.5 kB',
  },
  {
    name: 'the MCP server, which runs in Node.js',
    import: '{ createMcpHandler, serveMcpStdio }',
    path: '../dist/mcp.js',
    limit: '275 kB',
  },
];

export default limits.map((limit) => ({
  ...limit,
  gzip: true,
  modifyEsbuildConfig: (config) => ({
    ...config,
    external: [...(config.external ?? []), 'node:*'],
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
  }),
}));
