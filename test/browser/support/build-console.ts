import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../../../scripts/entries.js';

/** Builds the console and puts it where the mock server looks for it, unless `npm test` has just built it. */
export async function buildConsole(): Promise<void> {
  if (process.env.WORKTRACK_IS_BUILT) return;
  const args = ['node_modules/vite/bin/vite.js', 'build', '--config', 'console/vite.config.ts'];
  await promisify(execFile)(process.execPath, args, { cwd: root }).catch(({ stdout, stderr }) => {
    throw new Error(`failed to build the console:\n${stdout}\n${stderr}`);
  });
}
