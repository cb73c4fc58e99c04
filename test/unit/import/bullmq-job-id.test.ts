import { expect, it } from 'vitest';
import { rowJobId } from '../../../src/import/bullmq/job-id.js';

it("a row's job ID depends only on its key, so rows from earlier versions are recognized", () => {
  expect(rowJobId('ABC-1')).toBe('row-173896f9bffa2cadd2e7be97b2ad66af');
});
