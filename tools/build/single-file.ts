// Writes artifacts/worktrack-mock.mjs, the mock server as a single file that needs only Node.js. The file is
// attached to each release. It isn't part of the npm package.
import { appendFile, readFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { root } from '../entries.js';
import { licenseTexts } from './licenses.js';

const file = `${root}artifacts/worktrack-mock.mjs`;

await rm(`${root}artifacts`, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [`${root}addons/cli/mock/standalone.ts`],
  outfile: file,
  bundle: true,
  minify: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  absWorkingDir: root,
  // commander is a CommonJS package that uses `require` to load built-in Node.js modules.
  banner: {
    js: "import { createRequire as worktrackRequire } from 'node:module'; const require = worktrackRequire(import.meta.url);",
  },
});
const licenses = [await readFile(`${root}LICENSE`, 'utf8'), ...licenseTexts(metafile)];
await appendFile(file, `/*\n${licenses.join('\n\n')}\n*/\n`);
