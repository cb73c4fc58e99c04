/**
 * Files that are mutated together, and the tests that must kill the mutants. Paths are relative to the
 * checkout.
 */
export interface MutationGroup {
  /**
   * Glob patterns, which can contain `*`, `**`, and `!(a|b)`. Braces and commas aren't allowed, because
   * Stryker expects a single comma-separated list.
   */
  mutate: readonly string[];
  tests: readonly string[];
}

// Tests that use files, sockets, or processes aren't included, because they're slow and cover other code.
const server = [
  'test/rules/!(client).test.ts',
  'test/unit/server/{engine,overrides,journal,faults,seed,options}.test.ts',
  'test/unit/server/{plain-text,text-index,sequences,state-view}.test.ts',
];

/** Every file in `src`, `mock-server`, `cli`, and `conformance` is in exactly one group. */
export const mutationGroups: Readonly<Record<string, MutationGroup>> = {
  pagination: {
    mutate: ['src/http/pagination.ts'],
    tests: ['test/unit/client/{pagination,late-responses-and-causes,unusual-responses}.test.ts'],
  },
  errors: {
    mutate: ['src/errors/*.ts'],
    tests: ['test/unit/client/{error-classes,errors,timeouts,unusual-responses,requests}.test.ts'],
  },
  retry: {
    mutate: [
      'src/http/retry-policy.ts',
      'src/http/rate-limit-pause.ts',
      'src/http/request-queue.ts',
      'src/http/time-limit.ts',
      'src/http/on-abort.ts',
      'src/http/race.ts',
      'src/http/run-call.ts',
      'src/http/attempt.ts',
      'src/http/send-request.ts',
      'src/http/read-response.ts',
      'src/http/call-error.ts',
      'src/http/interruption-error.ts',
      'src/http/network-error.ts',
      'src/http/read-api-error.ts',
    ],
    tests: [
      'test/unit/client/{retries,retry-table,waits,rate-limits,never-connected,time-limit,timeouts}.test.ts',
      'test/unit/client/{errors,response-validation,late-responses-and-causes,observability,options,requests,tokens}.test.ts',
    ],
  },
  wire: {
    mutate: ['src/wire/*.ts'],
    tests: [
      'test/unit/wire/*.test.ts',
      'test/rules/{pagination,custom-wire-formats}.test.ts',
      'test/unit/client/{unusual-responses,pagination,requests}.test.ts',
    ],
  },
  engine: {
    mutate: [
      'mock-server/engine/access.ts',
      'mock-server/engine/responses.ts',
      'mock-server/engine/incoming.ts',
      'mock-server/engine/input.ts',
      'mock-server/engine/record-json-cache.ts',
      'mock-server/engine/run-operation.ts',
      'mock-server/engine/router.ts',
    ],
    tests: [
      'test/rules/{messages,credentials,not-found,order-of-checks,custom-wire-formats,body-size}.test.ts',
      'test/rules/{invalid-bodies,every-operation,pagination,concurrency}.test.ts',
      'test/unit/server/{engine,overrides,journal,record-json-cache,plain-requests}.test.ts',
    ],
  },
  text: {
    mutate: ['mock-server/rules/plain-text.ts', 'mock-server/rules/search.ts'],
    tests: ['test/unit/server/plain-text.test.ts', 'test/rules/filters.test.ts'],
  },
  rules: { mutate: ['mock-server/rules/!(plain-text|search).ts'], tests: server },
  redact: {
    mutate: ['src/http/redact.ts', 'src/http/secret-pattern.ts'],
    tests: ['test/unit/client/{redaction,errors,late-responses-and-causes}.test.ts'],
  },
  token: {
    mutate: ['src/http/credential.ts', 'src/http/pending-tokens.ts'],
    tests: ['test/unit/client/{tokens,options,retries,errors,timeouts,waits}.test.ts'],
  },
  bulk: { mutate: ['src/bulk.ts'], tests: ['test/unit/client/bulk.test.ts'] },
  faults: {
    mutate: ['mock-server/faults/*.ts'],
    tests: ['test/unit/server/{faults,faults-and-limits,rate-limit,options}.test.ts'],
  },
  http: {
    mutate: [
      'src/http/!(pagination|redact|secret-pattern|credential|pending-tokens|retry-policy|rate-limit-pause|request-queue|time-limit|on-abort|race|run-call|attempt|send-request|read-response|call-error|interruption-error|network-error|read-api-error).ts',
    ],
    tests: ['test/unit/client/*.test.ts'],
  },
  shared: {
    mutate: ['src/shared/*.ts'],
    tests: ['test/unit/shared/*.test.ts', 'test/unit/client/*.test.ts'],
  },
  client: {
    mutate: ['src/!(bulk).ts', 'src/resources/*.ts', 'src/node/*.ts', 'src/opentelemetry/*.ts'],
    tests: ['test/unit/client/*.test.ts'],
  },
  contract: {
    mutate: ['src/contract/**/*.ts'],
    tests: [
      'test/contract/*.test.ts',
      'test/openapi/document.test.ts',
      'test/rules/{field-types,invalid-bodies,notifications}.test.ts',
      'test/unit/client/{options,requests,suggestions,response-validation,late-responses-and-causes}.test.ts',
    ],
  },
  import: {
    mutate: ['src/import/*.ts', 'src/import/file-ledger/*.ts'],
    tests: ['test/unit/import/!(bullmq-*).test.ts'],
  },
  bullmq: {
    mutate: ['src/import/bullmq/*.ts'],
    // The files for Postgres and PGlite are slower and run the same tests as the file for Redis.
    tests: ['test/unit/import/bullmq-*.test.ts', 'test/import/bullmq-!(postgres|pglite).test.ts'],
  },
  store: {
    mutate: ['mock-server/store/*.ts'],
    tests: [
      'test/unit/server/{epoch,intern,persistent-vector,sequences,signatures,sorted-index,table,text-index}.test.ts',
      'test/unit/server/{large-inputs,state-view,world-settings}.test.ts',
      'test/rules/{filters,positions,pagination}.test.ts',
    ],
  },
  state: {
    mutate: ['mock-server/state/*.ts', 'mock-server/seed/*.ts'],
    tests: [
      'test/unit/server/{seed,builders,clock,ids,load-state,state-view,world-settings}.test.ts',
      ...server,
    ],
  },
  server: {
    mutate: [
      'mock-server/*.ts',
      'mock-server/engine/!(access|responses|incoming|input|record-json-cache|run-operation|router).ts',
      'mock-server/controls/*.ts',
      'mock-server/journal/*.ts',
      'mock-server/options/*.ts',
    ],
    tests: [
      'test/unit/server/{builders,clock,expectations,load-state,msw,plain-requests,requests-in-flight,response-bodies}.test.ts',
      ...server,
    ],
  },
  'server-http': {
    mutate: ['mock-server/http/**/*.ts'],
    tests: [
      'test/unit/server/{http,listening,options,persistence,state-file,console,console-files}.test.ts',
      'test/unit/server/admin-*.test.ts',
      'test/docs/admin-routes.test.ts',
    ],
  },
  cli: {
    mutate: ['cli/**/*.ts'],
    tests: [
      'test/unit/cli/*.test.ts',
      'test/conformance/deployments.test.ts',
      'test/docs/{command-line,operation-commands}.test.ts',
      'test/mcp/command.test.ts',
    ],
  },
  conformance: {
    mutate: ['conformance/**/*.ts'],
    tests: ['test/conformance/{report,run,detection,conformance}.test.ts'],
  },
};

/** Returns the tests of one group, or of all groups if `name` is undefined. */
export const testsOf = (name: string | undefined): string[] => {
  const groups = name ? [mutationGroups[name]] : Object.values(mutationGroups);
  return [...new Set(groups.flatMap((group) => group?.tests ?? []))];
};
