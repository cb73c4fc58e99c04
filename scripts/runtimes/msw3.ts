import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { downloadNode, expectPassed } from './commands.js';
import { downloadPackage } from './download.js';
import type { Runtime } from './runtime.js';

/**
 * Runs the conformance kit through MSW 3. MSW 3 isn't a development dependency, because it needs Node.js
 * 22.12 and the development dependencies must support older versions.
 */
export const msw3: Runtime = {
  name: 'MSW 3 on Node.js 24',
  async install() {
    const node = downloadNode('24');
    const msw = join(downloadPackage('msw', '3.0.5'), 'node_modules/msw');
    return async ({ home }) => {
      // `msw` is version 3 in this folder. The parent folder contains the package.
      const folder = join(home, 'msw3');
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      symlinkSync(msw, join(folder, 'node_modules/msw'), 'junction');
      copyFileSync(join(home, 'msw3.mjs'), join(folder, 'main.mjs'));
      await expectPassed(node, ['main.mjs'], folder);
      return JSON.parse(readFileSync(join(msw, 'package.json'), 'utf8')).version;
    };
  },
};
