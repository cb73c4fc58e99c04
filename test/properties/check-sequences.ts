import fc from 'fast-check';
import { createMockServer } from 'worktrack/mock-server';
import { checkedFetch } from '../openapi/validator.js';
import { modeledOperations } from './model/response.js';
import { modelOf } from './model/state.js';
import { recipes, weightOf } from './requests.js';
import { Step, type Tally } from './step.js';
import { now, world } from './world.js';

/**
 * Sends random sequences of requests to a server and the model, and compares their responses. Every response
 * must also match the OpenAPI document.
 *
 * @returns How often each operation produced each result.
 * @throws An error with the seed and the shortest sequence for which the server and the model differ.
 */
export async function checkSequences(parameters: fc.Parameters<[object]>): Promise<Tally> {
  const tally: Tally = new Map();
  const steps = modeledOperations.flatMap((operation) => {
    const step = fc
      .tuple(recipes(operation), fc.constantFrom(0, 0, 1000))
      .map(([recipe, milliseconds]) => new Step(operation, milliseconds, recipe, tally));
    return Array.from({ length: weightOf(operation) }, () => step);
  });
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: 'max' }), async (sequence) => {
      const mock = createMockServer({ world, now });
      const real = Object.assign(mock, { fetch: checkedFetch(mock.fetch) });
      await fc.asyncModelRun(() => ({ model: modelOf(world, now), real }), sequence);
    }),
    parameters as fc.Parameters<[Iterable<fc.AsyncCommand<never, never>>]>,
  );
  return tally;
}
