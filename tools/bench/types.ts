import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from '../support/packages.js';
import { typeCost } from '../support/type-cost.js';
import { tenLinesWith } from './peers/ten-lines.js';
import { figure } from './support/measure.js';
import { start } from './support/peers.js';
import type { Benchmark } from './support/report.js';
import { inTemporaryFolder } from './support/temporary-folder.js';

/** Counts the type instantiations of a ten-line program. The number is deterministic, so one measurement is enough. */
export const types: Benchmark = {
  title: 'Type-checking cost',
  about: `This benchmark counts type instantiations in a ten-line program that creates a client, creates and reads a
record, iterates over a list, and checks an error's class.`,
  peers: ['typescript', 'openai', '@notionhq/client'],
  run: async () => {
    const { home, remove } = installPackage();
    try {
      const { running, notRun } = await start({
        '`openai`': () => costOfPeer('openai'),
        '`@notionhq/client`': () => costOfPeer('@notionhq/client'),
      });
      const ours = figure([typeCost(home).instantiations]);
      return [
        { ...against('`worktrack`'), figure: ours, goal: { max: 500 } },
        ...Object.entries(running).map(([name, cost]) => ({ ...against(name), figure: figure([cost]) })),
        ...Object.entries(notRun).map(([name, reason]) => ({ ...against(name), notRun: reason })),
      ];
    } finally {
      remove();
    }
  },
};

const against = (name: string) => ({
  what: `type instantiations for a ten-line program that uses ${name}`,
  against: 'an empty program',
  unit: '',
});

const costOfPeer = (name: keyof typeof tenLinesWith): Promise<number> =>
  inTemporaryFolder(async (folder) => {
    const home = realpathSync(folder);
    const packages = fileURLToPath(new URL('node_modules', import.meta.url));
    symlinkSync(packages, join(home, 'node_modules'), 'junction');
    return typeCost(home, tenLinesWith[name]).instantiations;
  });
