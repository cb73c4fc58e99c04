import fc from 'fast-check';

/** Whether this is the long run, `npm run test:long`. */
export const isLong = Boolean(process.env.WORKTRACK_TEST_LONG);

/** The number of runs of a property: few in `npm test`, many in `npm run test:long`. */
export const runs = ({ quick, long }: { quick: number; long: number }): number => (isLong ? long : quick);

/** Random, unless `WORKTRACK_TEST_SEED` is set to reproduce a run. */
export const seed = Number(process.env.WORKTRACK_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/**
 * Checks a property. If it fails or hangs, the error contains the seed. The long run also prints the seeds of
 * properties that hold.
 *
 * @param name the name of the property in the output of the long run
 */
export async function tryOut<Inputs>(
  name: string,
  property: fc.IAsyncProperty<Inputs>,
  count: { quick: number; long: number },
  parameters: { endOnFailure?: boolean } = {},
): Promise<void> {
  const started = performance.now();
  await fc.assert(property, { numRuns: runs(count), seed, timeout: 60_000, ...parameters });
  if (isLong) console.info(`${name}: ${runs(count)} runs, seed ${seed}, ${secondsSince(started)} s`);
}

export const secondsSince = (started: number): number => Math.round((performance.now() - started) / 1000);
