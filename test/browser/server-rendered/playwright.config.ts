import { defineConfig } from '@playwright/test';
import type { PlaywrightFixtures, PlaywrightWorkerFixtures } from 'worktrack/testing/playwright';

const { BROWSER = '', APP_URL = '', MOCK_URL = '', PLAYWRIGHT_OUTPUT = '' } = process.env;

export default defineConfig<PlaywrightFixtures, PlaywrightWorkerFixtures>({
  fullyParallel: true,
  workers: 2,
  reporter: 'line',
  outputDir: PLAYWRIGHT_OUTPUT,
  use: { baseURL: APP_URL, mockServerUrl: MOCK_URL, connectOptions: { wsEndpoint: BROWSER } },
});
