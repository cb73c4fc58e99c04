import { createMockServer, type MockServerOptions } from 'worktrack/mock-server';
import { apolloNow, apolloWorld } from '../../docs/.vitepress/content/world.js';

/** The base URL in the examples. */
export const exampleBaseUrl = 'https://work.example.com';

/** Creates a mock server with the examples' seed data and base URL. */
export const exampleServer = (options: MockServerOptions = {}) =>
  createMockServer({ now: apolloNow, world: apolloWorld, baseUrl: exampleBaseUrl, ...options });

/** The IDs in the examples, keyed by path parameter. */
export const exampleIds: Readonly<Record<string, string>> = {
  organization: 'org_acme',
  project: 'prj_apollo',
  board: 'brd_doing',
  ticket: 'tkt_radio',
  document: 'doc_runbook',
};
