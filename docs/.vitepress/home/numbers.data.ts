import { readFileSync } from 'node:fs';
import { errorCodes, operationIds } from '../../../src/contract/index.js';
import type { Section } from '../../../tools/bench/support/page.js';
import { root } from '../../../tools/entries.js';

/** A number on the home page, with what it means for a user. */
export interface HomeNumber {
  value: string;
  name: string;
  text: string;
  /** The page with the details. */
  link: string;
}

interface SizeLimit {
  name: string;
  limit: string;
}

declare const data: HomeNumber[];

export { data };

/** Loads the numbers from their sources, so the home page is always up to date. */
export default {
  async load(): Promise<HomeNumber[]> {
    const sizes: SizeLimit[] = (await import(`${root}tools/size-limit.mjs`)).default;
    const client = sizes.find(({ name }) => name === 'the whole client');
    const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    return [
      {
        value: String(operationIds.length),
        name: 'operations',
        text: 'Each operation is a method. Payloads are typed and validated before they’re sent, and lists are async iterables.',
        link: '/guide/client-basics.html',
      },
      {
        value: String(Object.keys(errorCodes).length),
        name: 'error codes',
        text: 'Each error reports the operation, the invalid fields, and whether the server processed the request. Each code has a page that explains how to fix the error.',
        link: '/errors/',
      },
      {
        value: `${milliseconds()} ms`,
        name: 'per mock server',
        text: 'Each test can have its own server, which checks credentials, scopes, field limits, and WIP limits, and doesn’t use the network.',
        link: '/testing/',
      },
      {
        value: String(client?.limit),
        name: 'at most, gzipped',
        text: `The client’s size in a browser bundle, including its dependencies, ${Object.keys(dependencies).join(' and ')}.`,
        link: '/performance.html',
      },
    ];
  },
};

/** How long it takes to create a mock server. */
function milliseconds(): string {
  const sections: Section[] = JSON.parse(readFileSync(`${root}tools/bench/figures.json`, 'utf8'));
  const rows = sections.flatMap(({ rows }) => rows);
  const row = rows.find(({ what }) => what === 'time per `createMockServer()` call');
  if (!row || !('figure' in row))
    throw new Error('tools/bench/figures.json has no time for createMockServer()');
  return row.figure.median.toLocaleString('en-US', { maximumSignificantDigits: 1 });
}
