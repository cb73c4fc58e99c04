import { installPackage } from './measure/install-package.js';
import { typeCost } from './measure/types.js';

// `npm run types:budget`: prints the cost of type-checking a ten-line program.
const { home, remove } = installPackage();
try {
  const { instantiations, checkTime } = typeCost(home);
  console.log(`ten lines: ${instantiations} instantiations, ${checkTime.toFixed(2)} s to check`);
} finally {
  remove();
}
