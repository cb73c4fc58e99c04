import { relative } from 'node:path';
import {
  BaseSequencer,
  type InlineConfig,
  type Reporter,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';

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
    return files.toSorted((a, b) => cost(a) - cost(b));
  }
}

/**
 * Reports an error if a test file can't be loaded. Stryker looks only at tests, and such a file has none, so
 * a mutant that throws while its module is loaded would otherwise count as survived.
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

/**
 * The tests that Stryker runs: those of the group in `tools/support/mutation.ts`. For most mutants, Stryker runs only
 * the tests that execute the changed code. For code that runs when its module is loaded, it runs all of them.
 */
export const mutationTests: InlineConfig = {
  include: [process.env.MUTATION_TESTS ?? ''],
  globalSetup: 'test/support/programs.ts',
  // Tests are several times faster if the sources are loaded only once.
  isolate: false,
  // The run for each mutant loads all modules again. Bundling the packages saves about half a second per run.
  deps: {
    optimizer: {
      ssr: {
        enabled: true,
        include: ['msw', 'zod/mini', 'zod/v4/core', 'ky', 'fast-check'],
      },
    },
  },
  sequence: { sequencer: QuickestFirst },
  reporters: ['default', new LoadErrors()],
};
