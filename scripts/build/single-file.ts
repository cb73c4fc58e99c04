// Writes artifacts/worktrack-mock.mjs: the mock server as one file that needs only Node.js. A release offers it
// as a download. The package doesn't contain it.
import { appendFile, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { root } from '../entries.js';
import { licenseTexts } from './licenses.js';

const file = `${root}artifacts/worktrack-mock.mjs`;

await rm(`${root}artifacts`, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [`${root}cli/mock/standalone.ts`],
  outfile: file,
  bundle: true,
  minify: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  absWorkingDir: root,
  // commander is CommonJS and requires built-in modules of Node.js.
  banner: {
    js: "import { createRequire as worktrackRequire } from 'node:module'; const require = worktrackRequire(import.meta.url);",
  },
});
const licenses = [await readFile(`${root}LICENSE`, 'utf8'), ...licenseTexts(metafile)];
await appendFile(file, `/*\n${licenses.join('\n\n')}\n*/\n`);
