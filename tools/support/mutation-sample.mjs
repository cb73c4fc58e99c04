import { createHash } from 'node:crypto';

/**
 * Skips all mutants except a random sample, which is the same in each run. Stryker has no option for this,
 * but it neither tests nor counts mutants that a checker rejects.
 */
class Sample {
  async init() {}

  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isSampled(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ]),
    );
  }
}

const share = Number(process.env.MUTATION_SAMPLE);

function isSampled({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = fileName.split('/').slice(-2);
  const key = JSON.stringify([file, start, end, mutatorName, replacement]);
  return createHash('sha256').update(key).digest().readUInt32BE() < share * 2 ** 32;
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }];
