import { type CalibrationOptions, calibrate } from 'worktrack/conformance';
import type { Deployment, DeploymentChoices, MockServer } from 'worktrack/mock-server';
import { choiceIds } from '../../../mock-server/deployment/choices.js';

/** Calibrates a mock server without checking the conformance kit's rules, because checking them takes seconds. */
export const calibrateMock = (
  mock: MockServer,
  options: Pick<CalibrationOptions, 'fetch' | 'readOnly' | 'wait'> = {},
) =>
  calibrate({
    ...mock.clientOptions(),
    fetch: mock.fetch,
    wait: async (milliseconds) => mock.clock.advance(milliseconds),
    includeRules: false,
    ...options,
  });

/** Returns a deployment for which only these choices are known. */
export const deploymentWith = (observed: Partial<DeploymentChoices>): Deployment => ({
  version: 1,
  choices: Object.fromEntries(
    choiceIds.map((id) => [id, id in observed ? { observed: observed[id] } : { unknown: 'not observed' }]),
  ) as Deployment['choices'],
  notEmulated: [],
  rules: {},
  shapes: {},
});
