import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { root } from '../entries.js';

/**
 * Creates an esbuild plugin that writes the licenses of all packages bundled into `dist/` to
 * `THIRD-PARTY-LICENSES.md`. All builds must share one plugin instance.
 */
export function licensesPlugin(): Plugin {
  const folders = new Set<string>();
  return {
    name: 'third-party-licenses',
    setup({ initialOptions, onEnd }) {
      initialOptions.metafile = true;
      onEnd(({ metafile }) => {
        for (const folder of bundledFolders(metafile)) folders.add(folder);
        // Several builds run at the same time, and each of them rewrites the file. The last build to finish
        // writes the complete list.
        writeFileSync(join(root, 'THIRD-PARTY-LICENSES.md'), documentOf([...folders].map(bundledPackage)));
      });
    },
  };
}

/** Returns the license texts of the packages included in a build. */
export const licenseTexts = (metafile: Metafile): string[] => licenseTextsOf(bundledFolders(metafile));

/** Returns the license texts of the packages in the given folders. */
export const licenseTextsOf = (folders: Iterable<string>): string[] =>
  [...folders]
    .map(bundledPackage)
    .map(({ name, version, text }) => `${name} ${version}\n\n${text}`)
    .sort();

function bundledFolders(metafile: Metafile | undefined): Set<string> {
  const inputs = Object.values(metafile?.outputs ?? {}).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.map(([path, { bytesInOutput }]) => bytesInOutput > 0 && packageFolder(path));
  return new Set(folders.filter((folder) => typeof folder === 'string'));
}

interface BundledPackage {
  name: string;
  version: string;
  license: string;
  homepage: string | undefined;
  text: string;
}

/** Returns the folder of the package that contains a file, or `undefined` for this project's files. */
export function packageFolder(path: string): string | undefined {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return folder && resolve(root, folder);
}

function bundledPackage(folder: string): BundledPackage {
  const { name, version, license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, license, homepage, text: licenseText(folder) };
}

/** @throws Error if the package doesn't include its license text */
function licenseText(folder: string): string {
  const files = readdirSync(folder).sort();
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
  const texts = files.filter((name) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name)).map(read);
  if (texts.length > 0) return texts.join('\n\n');
  const readme = files.find((name) => /^readme/i.test(name));
  const [, section = ''] = readme ? read(readme).split(/^#+ licen[cs]e\b.*$/im) : [];
  const [text = ''] = section.split(/^#/m);
  if (text.includes('Copyright')) return text.trim();
  throw new Error(
    `${folder} is bundled into dist/, but doesn't contain a license text. Add one, or use another package.`,
  );
}

function documentOf(packages: BundledPackage[]): string {
  const sections = packages
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'))
    .map(({ name, version, license, homepage, text }) =>
      [`## ${name} ${version}`, [license, homepage].filter(Boolean).join(', '), fenced(text)].join('\n\n'),
    );
  return `${[
    '# Third-party licenses',
    'The files in `dist/` contain code from these packages. `npm run build` generates this list.',
    ...sections,
  ].join('\n\n')}\n`;
}

const fenced = (text: string) => `\`\`\`\`text\n${text}\n\`\`\`\``;
