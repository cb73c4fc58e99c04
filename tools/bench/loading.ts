import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ratioOf, type Times, takeTurns, type Work } from './support/measure.js';
import { start } from './support/peers.js';
import type { Benchmark } from './support/report.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bench = fileURLToPath(new URL('.', import.meta.url));

/** Compares the time to import the built package in a new process with the time to import ky and zod/mini. */
export const loading: Benchmark = {
  title: 'Import time',
  about: `This benchmark measures how long a new process takes to import a package and exit, minus the time for a process
that doesn't import anything. The processes take turns for 21 rounds.`,
  peers: ['ky', 'zod', 'openai', 'stripe'],
  run: async () => {
    if (!existsSync(`${root}dist/index.js`)) throw new Error('loading: run `npm run build` first');
    const { running, notRun } = await start({
      '`openai`': () => importing('await import("openai")', bench),
      '`stripe`': () => importing('await import("stripe")', bench),
    });
    const sides = {
      [nothing]: importing('', root),
      [ours]: importing('await import("worktrack")', root),
      [parts]: importing('await Promise.all([import("ky"), import("zod/mini")])', root),
      ...running,
    };
    const { [nothing]: empty, ...durations } = await takeTurns<string>(sides, { rounds: 21 });
    const times: Times<string> = Object.fromEntries(
      Object.entries(durations).map(([side, all]) => [
        side,
        all.map((time, round) => time - (empty?.[round] ?? 0)),
      ]),
    );
    return [ours, '`openai`', '`stripe`'].map((side) => {
      const row = { what: `time to import ${side}`, against: `the time to import ${parts}` };
      if (notRun[side]) return { ...row, notRun: notRun[side] };
      return { ...row, figure: ratioOf(times, side, parts), ...(side === ours && { goal: { max: 1.2 } }) };
    });
  },
};

const nothing = 'nothing';
const ours = '`worktrack`';
const parts = '`ky` and `zod/mini`';

/**
 * Returns a function that runs the code in a new process. Runs the code once up front, so that any errors are
 * reported before the benchmark starts.
 */
function importing(code: string, cwd: string): Work {
  const work = () => {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd });
    if (status !== 0) throw new Error(String(stderr));
  };
  work();
  return work;
}
