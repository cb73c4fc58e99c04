import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

/** The properties again, with many more runs: see test/properties/runs.ts. */
export default mergeConfig(base, defineConfig({ test: { env: { WORKTRACK_TEST_LONG: '1' } } }));
