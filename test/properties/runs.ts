/** How many runs a property gets: few within `npm test`, many by `npm run test:long`. */
export const runs = ({ quick, long }: { quick: number; long: number }): number =>
  process.env.WORKTRACK_TEST_LONG ? long : quick;
