import { installPackage } from '../scripts/measure/install-package.js';
import { typeCost } from '../scripts/measure/types.js';
import { figure } from './support/measure.js';
import type { Benchmark } from './support/report.js';

/** What a program of ten lines costs the compiler: the same each time, so it is counted once. */
export const types: Benchmark = async () => {
  const { home, remove } = installPackage();
  try {
    return [
      {
        what: 'instantiations of types by a program of ten lines',
        against: 'an empty program',
        unit: '',
        figure: figure([typeCost(home).instantiations]),
        reach: { most: 500 },
      },
    ];
  } finally {
    remove();
  }
};
