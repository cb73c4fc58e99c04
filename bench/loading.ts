import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { figure } from './support/measure.js';
import type { Benchmark } from './support/report.js';

/** Importing the built package in a new process, against importing ky and zod/mini. */
export const loading: Benchmark = async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  if (!existsSync(`${root}dist/index.js`)) throw new Error('loading: run `npm run build` first');
  const load = (code: string) => {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
    });
    if (status !== 0) throw new Error(String(stderr));
    return performance.now() - started;
  };
  const ratios: number[] = [];
  for (let round = -2; round < 21; round++) {
    const nothing = load('');
    const ours = load('await import("worktrack")') - nothing;
    const peer = load('await Promise.all([import("ky"), import("zod/mini")])') - nothing;
    if (round >= 0) ratios.push(ours / peer);
  }
  return [
    {
      what: 'importing the package in a new process',
      against: 'importing `ky` and `zod/mini`',
      figure: figure(ratios),
      reach: { most: 1.2 },
    },
  ];
};
