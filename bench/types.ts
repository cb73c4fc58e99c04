import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from '../scripts/measure/install-package.js';
import { typeCost } from '../scripts/measure/types.js';
import { tenLinesWith } from './peers/ten-lines.js';
import { figure } from './support/measure.js';
import { start } from './support/peers.js';
import type { Benchmark } from './support/report.js';

/** What a program of ten lines costs the compiler: the same each time, so it is counted once. */
export const types: Benchmark = {
  title: 'Types',
  about: `Instantiations of types that the compiler counts for a program of ten lines: a client, a record made and
read, a list iterated, an error told by its class.`,
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
        { ...against('this package'), figure: ours, reach: { most: 500 } },
        ...Object.entries(running).map(([name, cost]) => ({ ...against(name), figure: figure([cost]) })),
        ...Object.entries(notRun).map(([name, reason]) => ({ ...against(name), notRun: reason })),
      ];
    } finally {
      remove();
    }
  },
};

const against = (name: string) => ({
  what: `instantiations of types by ten lines with ${name}`,
  against: 'an empty program',
  unit: '',
});

function costOfPeer(name: keyof typeof tenLinesWith): number {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'worktrack-peer-')));
  try {
    symlinkSync(
      fileURLToPath(new URL('node_modules', import.meta.url)),
      join(home, 'node_modules'),
      'junction',
    );
    return typeCost(home, tenLinesWith[name]).instantiations;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
