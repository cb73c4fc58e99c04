import { join } from 'node:path';
import { downloadPackage, installPackage } from './support/packages.js';
import { compile, tenLines } from './support/type-cost.js';

// `npm run types:versions`: checks the types in the package tarball with each supported TypeScript version.
const versions = ['~5.4.0', '~5.5.0', '~5.6.0', '~5.7.0', '~5.8.0', '~5.9.0', '~6.0.0', '~7.0.0'];
const resolutions = ['node16', 'nodenext', 'bundler'];

const { home, remove } = installPackage();
let failed = false;
try {
  console.log(`TypeScript  ${resolutions.map((name) => name.padEnd(9)).join('')}`);
  for (const version of versions) console.log(`${version.padEnd(10)}  ${row(version)}`);
} finally {
  remove();
}
process.exitCode = failed ? 1 : 0;

function row(version: string): string {
  let typescript: string;
  try {
    typescript = join(downloadPackage('typescript', version), 'node_modules/typescript');
  } catch (error) {
    failed = true;
    return `NOT RUN: installation failed\n${String(error)}`;
  }
  const results = resolutions.map((resolution) => compile(typescript, home, tenLines, resolution));
  const problems = results.filter(({ status }) => status !== 0).map(({ output }) => output);
  if (problems.length > 0) failed = true;
  const cells = results.map(({ status }) => (status === 0 ? 'ok' : 'FAILED').padEnd(9)).join('');
  return [cells, ...problems].join('\n');
}
