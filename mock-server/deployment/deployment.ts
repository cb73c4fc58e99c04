import * as z from 'zod/mini';
import {
  describeFieldErrors,
  type OperationId,
  operationIds,
  type Schema,
  validate,
} from '../../src/contract/index.js';
import { isObject, parseJson } from '../../src/shared/json.js';
import { InvalidInputError } from '../state/invalid-input-error.js';
import { type ChoiceId, choices, type DeploymentChoices } from './choices.js';
import { type Shape, type Shapes, shapeSchema } from './shape.js';

/**
 * The contents of a `deployment.json` file: the behavior that `worktrack calibrate` observed. Contains field
 * names and types, but no records.
 */
export interface Deployment {
  version: 1;
  choices: { readonly [Id in ChoiceId]: Observation<DeploymentChoices[Id]> };
  /** A sentence for each difference that the mock server can't emulate. */
  notEmulated: readonly string[];
  /** For each rule in the conformance kit, whether the mock server and the deployment behave the same. */
  rules: Readonly<Record<string, RuleComparison>>;
  shapes: Shapes;
}

/** The observed value, or the reason it's unknown. */
export type Observation<Value> = { readonly observed: Value } | { readonly unknown: string };

export type RuleComparison = 'same' | 'different' | 'unknown';

const observationOf = <Value>(value: z.ZodMiniType<Value>) =>
  z
    .strictObject({ observed: z.optional(value), unknown: z.optional(z.string()) })
    .check(
      z.refine(
        (observation) => Object.keys(observation).length === 1,
        'must have either "observed" or "unknown"',
      ),
    );

const schema = z.strictObject({
  version: z.literal(1),
  choices: z.strictObject(
    Object.fromEntries(Object.entries(choices).map(([id, row]) => [id, observationOf<unknown>(row.schema)])),
  ),
  notEmulated: z.array(z.string()),
  rules: z.record(z.string(), z.enum(['same', 'different', 'unknown'])),
  shapes: z.strictObject(
    Object.fromEntries(operationIds.map((id) => [id, z.optional(shapeSchema)])) as Record<
      OperationId,
      z.ZodMiniOptional<z.ZodMiniType<Shape>>
    >,
  ),
} satisfies Record<keyof Deployment, z.core.$ZodType>);

/**
 * Validates the contents of a `deployment.json` file.
 *
 * @param value an object or a JSON string
 * @throws TypeError if the contents are invalid; the message names the first invalid field
 */
export function parseDeployment(value: unknown): Deployment {
  const content = typeof value === 'string' ? parseJson(value, reject) : value;
  const version = isObject(content) ? content.version : undefined;
  if (version !== 1) {
    const hint =
      typeof version === 'number' ? 'update worktrack' : 'create the file with "worktrack calibrate"';
    throw new InvalidInputError(
      `deployment: version must be 1 (got ${JSON.stringify(version) ?? 'nothing'}); ${hint}`,
    );
  }
  const result = validate(schema as unknown as Schema<Deployment, never>, content);
  if (result.ok) return result.value;
  throw new InvalidInputError(`deployment: ${describeFieldErrors(result.fieldErrors, 1)}`);
}

function reject({ message }: Error): never {
  throw new InvalidInputError(`deployment: not valid JSON: ${message}`);
}

/** Returns the choices whose values were observed. */
export const observedChoices = (deployment: Pick<Deployment, 'choices'>): Partial<DeploymentChoices> =>
  Object.fromEntries(
    Object.entries(deployment.choices).flatMap(([id, observation]) =>
      'observed' in observation ? [[id, observation.observed]] : [],
    ),
  );
