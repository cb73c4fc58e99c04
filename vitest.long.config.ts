import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

/**
 * Sets `WORKTRACK_TEST_LONG`, so the property tests check many more cases (see test/properties/runs.ts).
 */
export default mergeConfig(base, defineConfig({ test: { env: { WORKTRACK_TEST_LONG: '1' } } }));
