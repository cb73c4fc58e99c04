import * as z from 'zod/mini';
import {
  checkOptions,
  nonEmptyString,
  nonNegativeInteger,
  object,
  oneOf,
  option,
} from '../../src/option-schema.js';
import { isObject } from '../../src/shared/json.js';
import { defaultWire, pathPrefix, type WireFormat } from '../../src/wire/index.js';
import { type Deployment, parseDeployment } from '../deployment/deployment.js';
import { type Emulation, emulate } from '../deployment/emulation.js';
import { type Behavior, defaultBehavior } from '../rules/index.js';
import { type ClockTime, milliseconds } from '../state/clock.js';
import { InvalidInputError } from '../state/invalid-input-error.js';
import type { Settings } from '../state/rows.js';
import type { MockServerOptions } from './server-options.js';

/** The server options with their defaults applied. */
export interface ServerSettings
  extends Omit<MockServerOptions, 'baseUrl' | 'wire' | 'bodyLimit' | 'journalLimit' | 'journalBytes'> {
  /** The base URL without `/api/v1`, a query, or a fragment. */
  baseUrl: URL;
  wire: WireFormat;
  bodyLimit: number;
  journalLimit: number;
  journalBytes: number;
  behavior: Behavior;
  /** The settings that the seed data can't change. */
  settings: Partial<Settings>;
  /** The format that clients need, if the server emulates a deployment. */
  emulatedWire: WireFormat | undefined;
}

/**
 * Validates the server options, because a mistyped option would silently change what a test checks.
 *
 * @throws TypeError if an option is unknown or invalid
 */
export function readOptions(options: MockServerOptions): ServerSettings {
  checkOptions(schema, options, { fail });
  const { baseUrl = 'http://worktrack.test', wire = {}, deployment } = options;
  checkOptions(wireSchema, wire, { prefix: 'wire.', fail });
  const emulation = deployment === undefined ? undefined : emulateDeployment(deployment);
  return {
    ...options,
    baseUrl: readBaseUrl(baseUrl),
    wire: { ...defaultWire, ...emulation?.wire, ...wire },
    behavior: emulation?.behavior ?? defaultBehavior,
    settings: emulation?.settings ?? {},
    emulatedWire: emulation && { ...emulation.wire, ...wire },
    bodyLimit: options.bodyLimit ?? 10_000_000,
    journalLimit: options.journalLimit ?? 10_000,
    journalBytes: options.journalBytes ?? 64 * 2 ** 20,
  };
}

function emulateDeployment(deployment: Deployment | string): Emulation {
  try {
    return emulate(parseDeployment(deployment));
  } catch (error) {
    throw error instanceof InvalidInputError ? fail(error.message) : error;
  }
}

/** The option schemas. Omitting an option is a compile error. */
export const optionFields: Record<keyof MockServerOptions, z.core.$ZodType> = {
  state: option('a state from mock.export()', isObject),
  world: option('an object or a JSON string', (value) => isObject(value) || typeof value === 'string'),
  now: z.optional(
    z.custom((value) => value === 'real' || problemOf(value) === undefined, {
      error: ({ input }) => `is ${problemOf(input)}`,
    }),
  ),
  randomSeed: option('a number or a string', (value) => Number.isFinite(value) || typeof value === 'string'),
  wire: object(),
  deployment: option(
    'the content of a deployment.json, as an object or a JSON string',
    (value) => isObject(value) || typeof value === 'string',
  ),
  baseUrl: option(
    'an http or https URL, such as http://worktrack.test',
    // "localhost:3000" is also a valid URL, with the scheme "localhost".
    (value) => /^https?:\/\//i.test(String(value)) && URL.canParse(String(value)),
  ),
  bodyLimit: nonNegativeInteger(),
  journalLimit: nonNegativeInteger(),
  journalBytes: nonNegativeInteger(),
  unhandled: oneOf(['respond', 'error']),
  faults: option('a list of faults', Array.isArray),
  rateLimit: object(),
};

const schema = z.strictObject(optionFields);

const wireFields: Record<keyof WireFormat, z.core.$ZodType> = {
  credential: object(),
  envelope: object(),
  page: object(),
  error: object(),
  requestIdHeader: nonEmptyString(),
};

const wireSchema = z.strictObject(wireFields);

const fail = (message: string) => new InvalidInputError(`createMockServer: ${message}`);

/** Returns what's wrong with a time, or undefined if the time is valid. */
function problemOf(time: unknown): string | undefined {
  try {
    milliseconds(time as ClockTime);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function readBaseUrl(baseUrl: string | URL): URL {
  const url = new URL(String(baseUrl));
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(pathPrefix) ? path.slice(0, -pathPrefix.length) : path;
  url.search = '';
  url.hash = '';
  return url;
}
