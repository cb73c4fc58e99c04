// These globs omit the tests of the admin API, of listening, and of other processes, which are in the group
// `server-http`.
const serverTests =
  'test/{rules/*,unit/server/{[!alps]*,load-state,permutation,plain-text,seed,state-view,store}}.test.ts';
const clientTests = 'test/{rules,unit/client,unit/shared,unit/wire}/*.test.ts';

/**
 * The files that Stryker changes, separated by commas, and the test files that it runs, as glob patterns. Tests
 * that change the time zone, or that compare sources with other files, can't run in Stryker. `src/contract` isn't
 * a group, because its schemas are created by whichever test needs them first, and Stryker runs only that test.
 */
export const mutationGroups: Readonly<Record<string, { sources: string; tests: string }>> = {
  http: { sources: 'src/http/*.ts', tests: 'test/unit/client/*.test.ts' },
  changes: {
    sources: 'addons/jobs/{feed*,compare-records,watched-fields}.ts',
    tests: 'test/jobs/feed{,-access,-fingerprint,-watch}.test.ts',
  },
  sync: {
    sources: 'addons/jobs/sync*.ts',
    tests: 'test/jobs/sync*.test.ts',
  },
  import: {
    sources: 'addons/jobs/import*.ts,addons/jobs/run-control.ts',
    tests: 'test/jobs/import*.test.ts',
  },
  bullmq: {
    sources: 'addons/jobs/queue*.ts',
    tests: 'test/jobs/queue{,-changes,-marks}.test.ts',
  },
  rules: { sources: 'mock-server/rules/*.ts', tests: 'test/{rules/*,unit/server/permutation}.test.ts' },
  engine: { sources: 'mock-server/engine/*.ts', tests: serverTests },
  state: {
    sources: 'mock-server/state/*.ts',
    tests: `{${serverTests},test/unit/server/persistence.test.ts}`,
  },
  store: { sources: 'mock-server/store/*.ts', tests: serverTests },
  faults: { sources: 'mock-server/faults/*.ts', tests: serverTests },
  journal: { sources: 'mock-server/journal/*.ts', tests: serverTests },
  seed: { sources: 'mock-server/seed/*.ts', tests: serverTests },
  server: {
    sources: 'mock-server/*.ts,mock-server/controls/*.ts,mock-server/options/*.ts',
    tests: serverTests,
  },
  'server-http': {
    sources: 'mock-server/node/**/*.ts',
    tests: 'test/{docs/{code,other,recipes}*,unit/server/*}.test.ts',
  },
  deployment: {
    sources: 'mock-server/deployment/*.ts',
    tests: 'test/{unit/server/deployment,conformance/settings}.test.ts',
  },
  shared: {
    sources: 'src/shared/*.ts',
    tests: 'test/{unit/shared/*,unit/client/{e,o,re,su}*,unit/server/plain-text,conformance/report}.test.ts',
  },
  wire: { sources: 'src/wire/*.ts', tests: 'test/unit/{client/{pa,re}*,wire/*}.test.ts' },
  errors: { sources: 'src/errors/*.ts', tests: 'test/unit/client/{error,never}*.test.ts' },
  client: {
    sources: 'src/*.ts,src/node/*.ts,src/resources/*.ts,addons/shared/*.ts',
    tests: `{${clientTests},test/mcp/*.test.ts}`,
  },
  pull: { sources: 'addons/jobs/pull*.ts', tests: 'test/jobs/pull*.test.ts' },
  cli: {
    sources: 'addons/cli/**/*.ts',
    tests: 'test/{cli/explore,conformance/[!d]*,docs/{command,operation}*,mcp/*,unit/cli/[!d]*}.test.ts',
  },
  conformance: { sources: 'addons/conformance/**/*.ts', tests: 'test/conformance/*.test.ts' },
};

export interface MutationScore {
  /** The number of small changes to the code that a test detected. */
  killed: number;
  /** The number of changes that no test detected. */
  survived: number;
  /**
   * The number of all possible changes. If only a sample was tested, it's greater than the sum of the other
   * two.
   */
  total: number;
  date: string;
  commit: string;
}

/**
 * Counts the results in Stryker's report. Like Stryker, it excludes mutants whose tests couldn't run. If the run
 * ignored code that runs when a module is loaded, it also excludes the mutants there that Stryker tested without
 * loading the module again.
 */
export function mutationCounts(report: string): Pick<MutationScore, 'killed' | 'survived' | 'total'> {
  const { files, config } = JSON.parse(report) as {
    files: Record<string, { mutants: { status: string; static?: boolean }[] }>;
    config: { ignoreStatic: boolean };
  };
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  const tested = mutants.filter((mutant) => !(config.ignoreStatic && mutant.static));
  const count = (...statuses: string[]) => tested.filter(({ status }) => statuses.includes(status)).length;
  return {
    killed: count('Killed', 'Timeout'),
    survived: count('Survived', 'NoCoverage'),
    total: mutants.length - count('RuntimeError'),
  };
}
