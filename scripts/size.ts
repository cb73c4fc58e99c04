import { sizes } from './measure/size.js';

// `npm run size`: prints how much each import of the built package adds to an app's bundle, along with the
// budget.
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(8);
const rows = await sizes();

console.log('import                  minified   gzipped    budget');
for (const { what, minified, gzipped, budget, goal } of rows) {
  const cells = [minified, gzipped, budget].map(kilobytes).join('  ');
  const verdict = gzipped > budget ? '  OVER' : goal && gzipped > goal ? `  goal:${kilobytes(goal)}` : '';
  console.log(`${what.padEnd(22)}  ${cells}${verdict}`);
}
process.exitCode = rows.some(({ gzipped, budget }) => gzipped > budget) ? 1 : 0;
