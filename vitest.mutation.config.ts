import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import {
  BaseSequencer,
  type Reporter,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';
import { testsOf } from './scripts/mutation-groups.js';
import shared from './vitest.config.js';

/**
 * A mutant's run ends at the first failure, so the files that failed last time run first, followed by the
 * fastest ones.
 */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ project, moduleId }: TestSpecification) => {
      const key = `${project.name}:${relative(this.ctx.config.root, moduleId)}`;
      const { failed = false, duration = 0 } = this.ctx.cache.getFileTestResults(key) ?? {};
      return failed ? -1 : duration;
    };
    return files
      .map((file) => ({ file, cost: cost(file) }))
      .sort((a, b) => a.cost - b.cost)
      .map(({ file }) => file);
  }
}

/**
 * Reports a test file that can't be loaded as an error. Stryker looks only at tests, and such a file has none,
 * so a mutant that throws while its module is loaded would otherwise count as survived.
 */
class LoadErrors implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestModuleEnd(module: TestModule): void {
    for (const error of module.errors()) this.#vitest?.state.catchError(error, 'Unhandled Error');
  }
}

/** The tests Stryker runs against each mutant in a group. */
export default defineConfig({
  resolve: shared.resolve ?? {},
  test: {
    include: testsOf(process.env.WORKTRACK_MUTATION_GROUP),
    globalSetup: 'test/support/programs.ts',
    testTimeout: 10_000,
    // Loading the sources once instead of once per test file is several times faster.
    isolate: false,
    // Each mutant's run loads all modules again. Bundling the packages saves about half a second per run.
    deps: {
      optimizer: {
        ssr: {
          enabled: true,
          include: ['msw', 'zod/mini', 'zod/v4/core', 'ky', 'fast-check', 'rou3', 'ulid'],
        },
      },
    },
    sequence: { sequencer: QuickestFirst },
    reporters: ['default', new LoadErrors()],
  },
});
