// `npm run mutation:scores`: copies the scores from the reports of `npm run mutation` to
// docs/public/evidence.json and docs/what-you-can-rely-on.md. If a group has no report, its stored score is
// kept.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { root } from './entries.js';
import { readEvidence, writeEvidence } from './support/evidence.js';
import { mutationCounts, mutationGroups } from './support/mutation.js';

const evidence = readEvidence();
for (const group of Object.keys(mutationGroups)) {
  const file = `${root}reports/mutation/${group}.json`;
  if (!existsSync(file)) continue;
  const time = statSync(file).mtime.toISOString();
  const date = time.slice(0, 10);
  const latest = ['log', '-1', '--format=%h', `--before=${time}`];
  const commit = execFileSync('git', latest, { cwd: root, encoding: 'utf8' }).trim();
  evidence.mutation[group] = { ...mutationCounts(readFileSync(file, 'utf8')), date, commit };
}
writeEvidence(evidence);
await import('./docs-write.js');
