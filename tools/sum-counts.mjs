// Used by .ci/run: prints the sum of the counts that test.mjs recorded in WORKTRACK_TEST_COUNTS as the closing
// line. The arguments are the exit codes of the commands. If all recorded steps of a failed command passed, for
// example because the installation failed, the command itself counts as a failure.
import { recordedResults, summaryOf } from './test-results.mjs';

const results = recordedResults();
for (const argument of process.argv.slice(2)) {
  const [command, status] = argument.split('=');
  const hasFailed = results.some((result) => result.command === command && result.failed > 0);
  if (status !== '0' && !hasFailed) results.push({ command, passed: 0, failed: 1, skipped: 0 });
}
console.log(`\n${summaryOf(results)}`);
process.exitCode = results.some(({ failed }) => failed > 0) ? 1 : 0;
