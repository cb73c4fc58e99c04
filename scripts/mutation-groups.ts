/** Files that are mutated together, and the tests that must fail for the mutants. Paths start at the checkout. */
export interface MutationGroup {
  /** Patterns without braces, because Stryker takes one comma-separated list. */
  mutate: readonly string[];
  tests: readonly string[];
}

// Without tests of files, sockets, and processes, which are slow and test other code.
const server = [
  'test/rules/!(through-the-client).test.ts',
  'test/unit/server/{engine,overrides,journal,faults,seed,options}.test.ts',
  'test/unit/server/{plain-text,text-index,sequences,state-view}.test.ts',
];

/** The parts of the package with the most logic, smallest group first. */
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
      'test/rules/{pagination,wire-details}.test.ts',
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
      'test/rules/{messages,credentials,not-found,order-of-refusal,wire-details,body-size}.test.ts',
      'test/rules/{bad-input,every-operation,pagination,concurrency}.test.ts',
      'test/unit/server/{engine,overrides,journal,record-json-cache,plain-requests}.test.ts',
    ],
  },
  text: {
    mutate: ['mock-server/rules/plain-text.ts', 'mock-server/rules/search.ts'],
    tests: ['test/unit/server/plain-text.test.ts', 'test/rules/filters.test.ts'],
  },
  rules: { mutate: ['mock-server/rules/!(plain-text|search).ts'], tests: server },
};

/** The tests of a group, or of all groups without a name. */
export const testsOf = (name: string | undefined): string[] => {
  const groups = name ? [mutationGroups[name]] : Object.values(mutationGroups);
  return [...new Set(groups.flatMap((group) => group?.tests ?? []))];
};
