import fc from 'fast-check';

/** Whether this is the long run, `npm run test:long`. */
export const isLong = Boolean(process.env.WORKTRACK_TEST_LONG);

/** How many runs a property gets: few within `npm test`, many by `npm run test:long`. */
export const runs = ({ quick, long }: { quick: number; long: number }): number => (isLong ? long : quick);

/** Another one each time, unless `WORKTRACK_TEST_SEED` asks to see the same again. */
export const seed = Number(process.env.WORKTRACK_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/**
 * Tries a property. What fails, or hangs, is thrown with its seed; the long run prints that of what holds too.
 *
 * @param name of the property, in the long run's figures
 */
export async function tryOut<Inputs>(
  name: string,
  property: fc.IAsyncProperty<Inputs>,
  count: { quick: number; long: number },
  parameters: { endOnFailure?: boolean } = {},
): Promise<void> {
  const begun = performance.now();
  await fc.assert(property, { numRuns: runs(count), seed, timeout: 60_000, ...parameters });
  if (isLong) console.info(`${name}: ${runs(count)} runs, seed ${seed}, ${secondsSince(begun)} s`);
}

export const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 1000);
