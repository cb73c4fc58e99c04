import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../entries.js';
import { download } from './download.js';
import type { Runtime } from './runtime.js';

const execute = promisify(execFile);

/** The conformance suite through MSW 3, which intercepts from Node.js 22.12 on. */
export const msw3: Runtime = {
  name: 'MSW 3 on Node.js 24',
  async install() {
    const program = download(`node-${process.platform}-${process.arch}`, '24', 'bin/node');
    return async () => {
      const folder = mkdtempSync(join(tmpdir(), 'worktrack-msw3-'));
      try {
        const file = join(folder, 'result.json');
        const suite = ['test/conformance', '--testNamePattern', 'interception of MSW 3'];
        const reporter = ['--reporter=json', `--outputFile.json=${file}`];
        await execute(program, ['node_modules/vitest/vitest.mjs', 'run', ...suite, ...reporter], {
          cwd: root,
          timeout: 120_000,
        });
        const { numPassedTests } = JSON.parse(readFileSync(file, 'utf8')) as { numPassedTests: number };
        if (numPassedTests !== 1) throw new Error(`${numPassedTests} tests passed, where one was to`);
        const { version } = JSON.parse(readFileSync(`${root}node_modules/msw3/package.json`, 'utf8'));
        return version;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    };
  },
};
