import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { beforeEach, expect, type MockInstance, onTestFinished, test, vi } from 'vitest';
import { stopped } from '../../../addons/cli/mock/processes.js';
import { replaceProperty } from './support/replace-property.js';

let readFile: MockInstance<typeof fs.readFileSync>;

beforeEach(() => {
  readFile = vi.spyOn(fs, 'readFileSync');
  syncBuiltinESMExports();
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  startedBy({ parent: 50, grandparent: 771 });
});

/** Sets the process's ancestors. Of all names that Linux allows, the parent's is the hardest to parse. */
function startedBy({ parent, grandparent }: { parent: number; grandparent: number }) {
  vi.spyOn(process, 'ppid', 'get').mockReturnValue(parent);
  readFile.mockImplementation((file) => {
    expect(file).toBe(`/proc/${parent}/stat`);
    return `${parent} (sh) S 1 (x) S ${grandparent} 50 50 0`;
  });
}

/** Starts waiting, and returns a function that checks whether the wait has ended. */
function wait(env: NodeJS.ProcessEnv) {
  const onEnd = vi.fn();
  const before = process.rawListeners('SIGTERM').length;
  stopped(env).then(onEnd);
  expect(process.rawListeners('SIGTERM')).toHaveLength(before + 1);
  onTestFinished(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.removeListener(signal, process.rawListeners(signal).at(-1) as () => void);
    }
  });
  return async () => {
    await vi.advanceTimersByTimeAsync(1000);
    return onEnd.mock.calls.length > 0;
  };
}

const npx = { npm_command: 'exec' };

test('worktrack mock keeps running while the npx process that started it is running', async () => {
  expect(await wait(npx)()).toBe(false);
});

test.each([
  ['parent', { parent: 1, grandparent: 771 }],
  ['grandparent', { parent: 50, grandparent: 772 }],
])('worktrack mock stops when npx, its %s process, exits', async (_, ancestors) => {
  const hasEnded = wait(npx);
  startedBy(ancestors);
  expect(await hasEnded()).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test("worktrack mock keeps running after its parent process exits if npx didn't start it", async () => {
  const hasEnded = wait({ npm_command: 'run-script' });
  startedBy({ parent: 1, grandparent: 1 });
  expect(await hasEnded()).toBe(false);
});

test('worktrack mock stops when its parent exits if the grandparent is unknown', async () => {
  readFile.mockImplementation(() => {
    throw new Error('ENOENT');
  });
  const hasEnded = wait(npx);
  expect(await hasEnded()).toBe(false);
  vi.spyOn(process, 'ppid', 'get').mockReturnValue(1);
  expect(await hasEnded()).toBe(true);
});

test('worktrack mock reads /proc only on Linux', async () => {
  replaceProperty(process, 'platform', 'darwin');
  readFile.mockClear();
  expect(await wait(npx)()).toBe(false);
  expect(readFile).not.toHaveBeenCalled();
});
