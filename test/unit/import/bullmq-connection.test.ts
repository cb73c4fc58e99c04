import { expect, it } from 'vitest';
import { ConfigurationError } from 'worktrack';
import { loadPackage } from '../../../addons/jobs/bullmq/connection.js';
import { rowJobId } from '../../../addons/jobs/import/bullmq/row-job.js';

it('loadPackage returns the package that it has loaded', async () => {
  expect(await loadPackage('bullmq', 'pg', async () => 'BullMQ')).toBe('BullMQ');
});

// Node.js uses the first code for import() and the second for require().
it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
  'loadPackage explains which packages to install if loading fails with %s',
  async (code) => {
    const cause = Object.assign(new Error("Cannot find package 'bullmq'"), { code });
    const error = await loadPackage('bullmq', 'pg', () => Promise.reject(cause)).catch((error) => error);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({
      message: "BullMQ queues require the bullmq package, which isn't installed; run npm install bullmq pg",
      cause,
    });
  },
);

it('loadPackage rethrows errors that come from the package itself', async () => {
  const error = Object.assign(new Error('unsupported platform'), { code: 'ERR_DLOPEN_FAILED' });
  await expect(loadPackage('pg', 'pg', () => Promise.reject(error))).rejects.toBe(error);
});

it("a row's job ID depends only on its key, so rows added by earlier versions are recognized", () => {
  expect(rowJobId('ABC-1')).toBe('row-173896f9bffa2cadd2e7be97b2ad66af');
});
