import { test } from 'vitest';

/** Defines a test that needs what Windows lacks, such as pipes and shells. */
export const posixTest = test.skipIf(process.platform === 'win32');

export const linuxTest = test.skipIf(process.platform !== 'linux');
