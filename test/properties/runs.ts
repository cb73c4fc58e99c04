/** Whether this is the long run, `npm run test:long`. */
export const isLong = Boolean(process.env.WORKTRACK_TEST_LONG);

/** How many runs a property gets: few within `npm test`, many by `npm run test:long`. */
export const runs = ({ quick, long }: { quick: number; long: number }): number => (isLong ? long : quick);
