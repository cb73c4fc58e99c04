import fc from 'fast-check';

/** Whether this is a long run (`npm run test:long`). */
export const isLong = Boolean(process.env.WORKTRACK_TEST_LONG);

/** Returns the number of runs for `npm run test:all` or `npm run test:long`. */
export const runs = ({ quick, long }: { quick: number; long: number }): number => (isLong ? long : quick);

/**
 * The seed for random inputs. `npm run test:all` always uses the same seed, so random inputs can't make an unrelated
 * change fail. Each long run uses a new seed. `WORKTRACK_TEST_SEED` overrides both.
 */
export const seed = Number(
  process.env.WORKTRACK_TEST_SEED ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 20_260_101),
);

/**
 * Checks a property. If the property fails or hangs, the error contains the seed. A long run also prints the
 * seeds of properties that pass.
 *
 * @param name - The property's name in the output of a long run.
 */
export async function checkProperty<Inputs>(
  name: string,
  property: fc.IAsyncProperty<Inputs>,
  count: { quick: number; long: number },
): Promise<void> {
  const started = performance.now();
  await fc.assert(property, { numRuns: runs(count), seed, timeout: 60_000 });
  if (isLong) console.info(`${name}: ${runs(count)} runs, seed ${seed}, ${secondsSince(started)} s`);
}

export const secondsSince = (started: number): number => Math.round((performance.now() - started) / 1000);
