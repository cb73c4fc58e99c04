import * as z from 'zod/mini';
import { type ChoiceId, choiceIds } from '../../../mock-server/deployment/choices.js';
import type { Deployment, Observation as Observed } from '../../../mock-server/deployment/deployment.js';
import { limitsOf } from '../../../mock-server/deployment/emulation.js';
import { pathOf } from '../../../mock-server/deployment/fields.js';
import { matchRoute } from '../../../mock-server/engine/router.js';
import { operationOf } from '../../../src/contract/index.js';
import { boolean, checkOptions } from '../../../src/option-schema.js';
import { Harness } from '../harness.js';
import { type ConformanceOptions, connectionFields, harnessOptions } from '../run.js';
import type { Sender } from '../sender.js';
import { behaviorObservers } from './behavior-observation.js';
import { compareRules, describeAdditionalFields, describeDifferences } from './compare-rules.js';
import { errorObservers } from './error-observation.js';
import { Observation, type Observers, observeRecordFields, reasonOf } from './observation.js';
import { pageObservers } from './page-observation.js';
import { readSamples } from './read-samples.js';
import { ShapeRecorder } from './shape-recorder.js';

export interface CalibrationOptions
  extends Omit<
    ConformanceOptions,
    'includeOptional' | 'operations' | 'maxRequests' | 'wire' | 'onResult' | 'onExchange'
  > {
  /**
   * Whether to only read existing records. If true, the calibration observes response fields but skips
   * everything that requires creating a record.
   *
   * @defaultValue false
   */
  readOnly?: boolean | undefined;
  /**
   * Whether to also check every rule in the conformance kit, to find behavior that the mock server can't
   * emulate. This takes about 600 requests, in addition to the 160 for everything else.
   *
   * @defaultValue true
   */
  includeRules?: boolean | undefined;
  /**
   * The maximum number of requests to send. Behavior that would exceed it is reported as unknown. Cleanup
   * requests count toward the limit but are always sent.
   *
   * @defaultValue 2000
   */
  maxRequests?: number | undefined;
}

/** The result of a calibration. */
export interface Calibration {
  /** The contents of the `deployment.json` file. */
  deployment: Deployment;
  /** Whether the calibration only read existing records. */
  readOnly: boolean;
  /** The number of requests that were sent, including retries and cleanup. */
  requests: number;
  /** A line for each project or document that couldn't be deleted, or whose ID is unknown. */
  undeletedRecords: string[];
}

/**
 * Observes how a deployment behaves in cases that the API's specification leaves open. Unless
 * `readOnly` is set, creates projects and documents, most of them named "Conformance", and deletes them
 * afterward. Doesn't notify any users.
 *
 * @throws ConfigurationError if the base URL is invalid or uses plain HTTP without `allowPlainHttp`
 * @throws TypeError if an option is unknown or invalid, or if the deployment can't be reached
 * @throws Error if the deployment rejects the token
 * @example
 * const { deployment } = await calibrate({ baseUrl, token, organization });
 * const mock = createMockServer({ deployment });
 */
export async function calibrate(options: CalibrationOptions): Promise<Calibration> {
  checkOptions(schema, options, { fail: (message) => new TypeError(`calibrate: ${message}`) });
  const { readOnly = false, includeRules = true, maxRequests = 2000, ...connection } = options;
  const shapes = new ShapeRecorder();
  const onExchange = (request: string, status: number, body: string) => record(shapes, request, status, body);
  const settings = harnessOptions({
    ...connection,
    limitedCredential: undefined,
    wire: undefined,
    maxRequests,
    includeOptional: true,
    onExchange,
  });
  const { sender } = settings;
  if (readOnly) {
    const paths = await readSamples(new Harness(settings));
    const deployment: Deployment = {
      version: 1,
      choices: unknownChoices('not observed in read-only mode'),
      notEmulated: [],
      rules: {},
      shapes: shapes.shapes((id) => (operationOf(id).paginated ? paths.items : (paths.record ?? paths.list))),
    };
    return { deployment, readOnly, requests: sender.requestCount, undeletedRecords: [] };
  }
  const observation = new Observation(settings);
  const undeletedRecords: string[] = [];
  const choices = unknownChoices('the run was stopped') as Record<ChoiceId, Observed<unknown>>;
  try {
    for (const id of choiceIds) {
      if (options.signal?.aborted) break;
      choices[id] = await observe(id, observation, sender);
    }
  } finally {
    undeletedRecords.push(...(await observation.cleanUp()));
  }
  const draft: Deployment = {
    version: 1,
    choices: choices as Deployment['choices'],
    notEmulated: [],
    rules: {},
    shapes: {},
  };
  draft.shapes = shapesIn(shapes, draft);
  // Rules can't be checked if the record format is unknown.
  const canCheckRules = includeRules && 'observed' in choices.recordFields && !options.signal?.aborted;
  const budget = Math.max(0, maxRequests - sender.requestCount);
  const checked = canCheckRules
    ? await compareRules({ ...connection, maxRequests: budget }, draft, onExchange)
    : undefined;
  undeletedRecords.push(...(checked?.undeletedRecords ?? []));
  const deployment = { ...draft, rules: checked?.rules ?? {}, shapes: shapesIn(shapes, draft) };
  deployment.notEmulated = [
    ...limitsOf(deployment),
    ...describeAdditionalFields(deployment.shapes),
    ...describeDifferences(deployment.rules),
  ];
  return {
    deployment,
    readOnly,
    requests: sender.requestCount + (checked?.requests ?? 0),
    undeletedRecords,
  };
}

/** The option schemas. Omitting an option is a compile error. */
const schema = z.strictObject({
  ...connectionFields,
  readOnly: boolean(),
  includeRules: boolean(),
  // A mock server's `clientOptions()` can include this option, which is ignored here.
  wire: z.optional(z.unknown()),
} satisfies Record<keyof CalibrationOptions | 'wire', z.ZodMiniType>);

const observers: Observers = {
  recordFields: (_, observation) => observation.once(observeRecordFields),
  ...pageObservers,
  ...errorObservers,
  ...behaviorObservers,
};

const unknownChoices = (reason: string): Deployment['choices'] =>
  Object.fromEntries(choiceIds.map((id) => [id, { unknown: reason }])) as Deployment['choices'];

async function observe(id: ChoiceId, observation: Observation, sender: Sender): Promise<Observed<unknown>> {
  try {
    return { observed: await observers[id](await observation.harness(), observation) };
  } catch (error) {
    const reason = sender.hasResponded ? reasonOf(error) : undefined;
    if (reason === undefined) throw error;
    return { unknown: reason };
  }
}

function record(shapes: ShapeRecorder, request: string, status: number, text: string): void {
  if (status < 200 || status > 299 || text === '') return;
  const [method = '', target = ''] = request.split(' ');
  const match = matchRoute(method, target.replace(/\?.*/s, ''));
  if (match.kind !== 'operation') return;
  try {
    shapes.add(match.operation.id, JSON.parse(text));
  } catch {
    // Ignore the error, because the rules report bodies that aren't valid JSON.
  }
}

function shapesIn(shapes: ShapeRecorder, { choices }: Deployment): Deployment['shapes'] {
  const { recordFields, pageFields } = choices;
  const record = 'observed' in recordFields ? pathOf(recordFields.observed, 'record') : undefined;
  const items = 'observed' in pageFields ? pathOf(pageFields.observed, 'items') : undefined;
  return shapes.shapes((id) => (operationOf(id).paginated ? items : record));
}
