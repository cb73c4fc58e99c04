import fc from 'fast-check';
import { createMockServer } from 'worktrack/mock-server';
import { everyOperation } from '../contract/endpoints.js';
import { held } from '../openapi/validator.js';
import { modelOf } from './model/state.js';
import { recipes, weightOf } from './requests.js';
import { Step, type Tally } from './step.js';
import { now, world } from './world.js';

/**
 * Plays random sequences of requests on a server and on the model; every answer must be one of the
 * OpenAPI document besides.
 *
 * @returns how often each operation was answered with what
 * @throws with the seed, and with the shortest sequence found on which the two disagree
 */
export async function checkSequences(parameters: fc.Parameters<[object]>): Promise<Tally> {
  const tally: Tally = new Map();
  const steps = everyOperation.flatMap((operation) => {
    const step = fc
      .tuple(recipes(operation), fc.constantFrom(0, 0, 1000))
      .map(([recipe, milliseconds]) => new Step(operation, milliseconds, recipe, tally));
    return Array.from({ length: weightOf(operation) }, () => step);
  });
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: 'max' }), async (sequence) => {
      const mock = createMockServer({ world, now });
      const real = Object.assign(mock, { fetch: held(mock.fetch) });
      await fc.asyncModelRun(() => ({ model: modelOf(world, now), real }), sequence);
    }),
    parameters as fc.Parameters<[Iterable<fc.AsyncCommand<never, never>>]>,
  );
  return tally;
}
