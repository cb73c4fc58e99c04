import { defaultWire, pathPrefix, type Wire } from '../../src/wire/index.js';
import { milliseconds } from '../state/clock.js';
import { refuseUnknown } from './refuse-unknown.js';
import type { MockServerOptions } from './server-options.js';

/** Options as the server works with them. */
export interface ServerSettings
  extends Omit<MockServerOptions, 'baseUrl' | 'wire' | 'bodyLimit' | 'journalLimit' | 'journalBytes'> {
  /** Without `/api/v1`, query and hash. */
  baseUrl: URL;
  wire: Wire;
  bodyLimit: number;
  journalLimit: number;
  journalBytes: number;
}

/**
 * Checks the options of a server; a misspelt one would be a test that tests something else.
 *
 * @throws TypeError that names the option
 */
export function readOptions(given: MockServerOptions): ServerSettings {
  refuseUnknown('createMockServer', given, checks);
  for (const [name, [fits, what]] of Object.entries(checks)) {
    const value = given[name as keyof MockServerOptions];
    if (value !== undefined && !fits(value)) throw wrong(name, what);
  }
  const { baseUrl = 'http://worktrack.test', wire = {}, now } = given;
  refuseUnknown('createMockServer', wire, defaultWire, 'wire.');
  if (now !== undefined && now !== 'real') refuseUnlessInstant(now);
  return {
    ...given,
    baseUrl: readBaseUrl(baseUrl),
    wire: { ...defaultWire, ...wire },
    bodyLimit: given.bodyLimit ?? 10_000_000,
    journalLimit: given.journalLimit ?? 10_000,
    journalBytes: given.journalBytes ?? 64 * 2 ** 20,
  };
}

type Check = readonly [fits: (value: unknown) => boolean, what: string];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const anything = () => true;
const count: Check = [(value) => Number.isSafeInteger(value) && Number(value) >= 0, 'an integer from 0'];
const urlRule = 'an http or https URL, such as http://worktrack.test';

/** What each option can be; `now` and `baseUrl` are read, which says more. */
export const checks: Record<keyof MockServerOptions, Check> = {
  state: [isObject, 'a state that mock.export() gave'],
  world: [(value) => isObject(value) || typeof value === 'string', 'a world, or its JSON text'],
  now: [anything, ''],
  seed: [(value) => Number.isFinite(value) || typeof value === 'string', 'a number or text'],
  wire: [isObject, 'an object of details to replace'],
  baseUrl: [(value) => value instanceof URL || typeof value === 'string', urlRule],
  bodyLimit: count,
  journalLimit: count,
  journalBytes: count,
  unhandled: [(value) => value === 'answer' || value === 'error', '"answer" or "error"'],
  faults: [Array.isArray, 'a list of faults'],
  rateLimit: [isObject, 'an object of limit and window'],
};

function refuseUnlessInstant(now: Parameters<typeof milliseconds>[0]): void {
  try {
    milliseconds(now);
  } catch (error) {
    throw new TypeError(`createMockServer: option "now" is ${(error as Error).message}`);
  }
}

function readBaseUrl(given: string | URL): URL {
  const url = parseUrl(String(given));
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(pathPrefix) ? path.slice(0, -pathPrefix.length) : path;
  url.search = '';
  url.hash = '';
  return url;
}

function parseUrl(text: string): URL {
  // "localhost:3000" is a URL too, of the scheme "localhost".
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text);
  throw wrong('baseUrl', `${urlRule}, not ${JSON.stringify(text)}`);
}

const wrong = (name: string, what: string) =>
  new TypeError(`createMockServer: option "${name}" must be ${what}`);
