import type { ChoiceId, DeploymentChoices } from '../../../mock-server/deployment/choices.js';
import {
  pathOf,
  type RecordFields,
  recordFacts,
  unrecognized,
  valueAt,
} from '../../../mock-server/deployment/fields.js';
import type { OperationId } from '../../../src/contract/index.js';
import { isObject } from '../../../src/shared/json.js';
import { defaultWire } from '../../../src/wire/index.js';
import { by } from '../../shared/lists.js';
import { Mismatch, NotCheckable } from '../expectations.js';
import { type DeploymentResponse, Harness, type HarnessOptions, type Payload } from '../harness.js';

/**
 * Functions that observe a deployment's behavior. If the behavior can't be observed, they throw an error
 * instead of guessing.
 */
export type Observers = {
  readonly [Id in ChoiceId]: (harness: Harness, observation: Observation) => Promise<DeploymentChoices[Id]>;
};

/** Calls a deployment whose format isn't known yet. Caches results that several observations need. */
export class Observation {
  readonly #options: HarnessOptions;
  readonly #known = new Map<unknown, Promise<unknown>>();
  /** The harness for the first requests. It finds records anywhere in a response. */
  readonly #first: Harness;
  #harness: Harness | undefined;

  constructor(options: HarnessOptions) {
    this.#options = options;
    this.#first = new Harness({ ...options, wire: anywhere });
  }

  /**
   * Runs a step only once and returns its result to all callers. If the step fails, all callers receive its
   * error.
   */
  once<Result>(step: (observation: Observation) => Promise<Result>): Promise<Result> {
    const result = this.#known.get(step) ?? step(this);
    this.#known.set(step, result);
    return result as Promise<Result>;
  }

  /** Calls an operation when the path to records isn't known yet. */
  callFirst(id: OperationId, payload?: Payload): Promise<DeploymentResponse> {
    return this.#first.call(id, [], payload);
  }

  /** The harness for all further requests. */
  async harness(): Promise<Harness> {
    const path = pathOf(await this.once(observeRecordFields), 'record') ?? '';
    this.#harness ??= new Harness({ ...this.#options, wire: { ...defaultWire, envelope: envelopeAt(path) } });
    return this.#harness;
  }

  /** Deletes the created records. Returns a line for each record that couldn't be deleted. */
  async cleanUp(): Promise<string[]> {
    return [...((await this.#harness?.cleanUp()) ?? []), ...(await this.#first.cleanUp())];
  }
}

/** Creates a project and finds out where the response contains it. */
export async function observeRecordFields(observation: Observation): Promise<RecordFields> {
  const name = 'Conformance format';
  const response = await observation.callFirst('projects.create', { body: { name, key: 'CONF' } });
  requireStatus(response, 201);
  const path = findPath(response.body, (value) => isObject(value) && value.name === name && 'id' in value);
  if (path === undefined)
    throw new NotCheckable("projects.create doesn't return a record with a name and an ID");
  return describeAround(response.body, path);
}

function describeAround(body: unknown, recordPath: string): RecordFields {
  const leaves = [...leavesOf(body, recordPath)].sort(by(([path]) => path));
  return Object.fromEntries(
    leaves.map(([path, value]) => {
      const fact = recordFacts.find((name) => name === String(value));
      return [path, path === recordPath ? 'record' : (fact ?? unrecognized)];
    }),
  );
}

/**
 * Returns the values in a body, keyed by path. A list counts as a single value, and so do the records at
 * `recordsPath`.
 */
export function leavesOf(body: unknown, recordsPath: string, path = ''): Map<string, unknown> {
  if (path !== recordsPath && isObject(body)) {
    return new Map(
      Object.entries(body).flatMap(([name, value]) => [
        ...leavesOf(value, recordsPath, path ? `${path}.${name}` : name),
      ]),
    );
  }
  return new Map([[path, body]]);
}

/** Returns the path to the first value that matches, searching the outer levels first. */
export function findPath(body: unknown, matches: (value: unknown) => boolean): string | undefined {
  let level: [path: string, value: unknown][] = [['', body]];
  for (let depth = 0; depth < 6 && level.length > 0; depth += 1) {
    const found = level.find(([, value]) => matches(value));
    if (found) return found[0];
    level = level.flatMap(([path, value]) =>
      isObject(value)
        ? Object.entries(value)
            .filter(([name]) => !/[.[\]]/.test(name))
            .map(([name, child]): [string, unknown] => [path ? `${path}.${name}` : name, child])
        : [],
    );
  }
  return undefined;
}

/** @throws NotCheckable unless the response has this status */
export function requireStatus({ request, status }: DeploymentResponse, expected: number): void {
  if (status === expected) return;
  const operation = request.split(' ')[0];
  throw new NotCheckable(
    status === 403
      ? `${operation}: the credential isn't allowed to do this (403)`
      : `${operation} returned ${status} instead of ${expected}`,
  );
}

/**
 * Returns the reason why an observation failed. Omits IDs and other text that differs between runs. Also
 * omits the deployment's messages, because the file must not contain any data.
 */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof NotCheckable)
    return error.message.replace(/ \((GET|POST|PUT|PATCH|DELETE) [^)]*\)/, '');
  if (error instanceof Mismatch) {
    const [, operation, expected, got] =
      /^(\S+) \(.*?\): expected (\d+).*?, got (\d+)/.exec(error.message) ?? [];
    return operation ? `${operation} returned ${got} instead of ${expected}` : 'an unexpected response';
  }
  return error instanceof TypeError ? 'an unexpected response' : undefined;
}

const envelopeAt = (path: string) => ({
  ...defaultWire.envelope,
  decode(body: unknown) {
    const data = valueAt(body, path);
    return data === undefined ? undefined : { data };
  },
});

/** Finds a record anywhere in a response. */
const anywhere = {
  ...defaultWire,
  envelope: {
    ...defaultWire.envelope,
    decode(body: unknown) {
      const path = findPath(body, (value) => isObject(value) && 'id' in value);
      return path === undefined ? undefined : { data: valueAt(body, path) };
    },
  },
};
