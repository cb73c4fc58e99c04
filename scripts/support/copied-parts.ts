import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { errorCodePages } from '../../docs/.vitepress/content/error-code-pages.js';
import { errorPages } from '../../docs/.vitepress/content/error-pages.js';
import { exampleTitles, nodeExampleTitles } from '../../docs/.vitepress/content/examples.js';
import { errorCodes } from '../../src/contract/index.js';
import { root } from '../entries.js';
import { evidenceParts } from './evidence.js';
import { siteLink, table } from './markdown.js';

/**
 * A code block that is copied from a file. The comment above it names the file, relative to the page, and optionally
 * a `#region` in it.
 */
const copiedCode = /^<!-- code: (\S+?)(?:#(\w+))? -->\n(?:```.*?^```\n)?/gms;

/** A table or list that is derived from data. */
const derivedPart = /^<!-- part: ([\w-]+) -->\n.*?^<!-- end -->$/gms;

/** Returns a page with its copied code and derived parts as they should be now. */
export const withCurrentParts = (page: string, text: string): string =>
  text
    .replace(copiedCode, (_, path: string, region: string | undefined) => {
      const file = join(root, 'docs', dirname(page), path);
      const target = region ? `${path}#${region}` : path;
      return `<!-- code: ${target} -->\n${fenced(file, codeOf(file, region))}\n`;
    })
    .replace(derivedPart, (_, name: string) => {
      const part = parts[name];
      if (!part) throw new Error(`docs/${page}: unknown part ${name}`);
      return `<!-- part: ${name} -->\n\n${part()}\n\n<!-- end -->`;
    });

/** Returns a code block with the file's content. */
export const fenced = (file: string, code: string): string =>
  `\`\`\`${extname(file).slice(1) || 'dockerfile'}\n${code}\n\`\`\``;

/** Returns a page without the code that is copied from files, which have tests of their own. */
export const withoutCopiedCode = (text: string): string => text.replace(copiedCode, '');

/** Returns the absolute paths of the TypeScript files that a page shows in full. */
export const copiedFiles = (page: string): string[] =>
  [...readFileSync(join(root, 'docs', page), 'utf8').matchAll(copiedCode)].flatMap(([, path = '', region]) =>
    path.endsWith('.ts') && !region ? [join(root, 'docs', dirname(page), path)] : [],
  );

/** Returns the paths of all pages in the repository, relative to `docs`. */
export const writtenPages = (): string[] =>
  readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(join(root, 'docs'), join(entry.parentPath, entry.name)))
    .filter((page) => !/^(\.vitepress|public)\//.test(page) && !isGenerated(page))
    .sort();

/** Whether only the site's build writes a page, so that it isn't in the repository. */
export const isGenerated = (page: string): boolean =>
  /^reference\/(api|operations)\/|^(errors|examples)\/(?!index\.md)/.test(page);

const parts: Readonly<Record<string, () => string>> = {
  ...evidenceParts,
  'error-classes': () =>
    table(
      ['class', 'code', 'status'],
      Object.entries(errorPages).map(([name, { code, status = '' }]) => [
        siteLink(name, `./${name}`),
        code ? `\`${code}\`` : '',
        status,
      ]),
    ),
  'error-codes': () =>
    table(
      ['code', 'status'],
      Object.keys(errorCodePages).map((code) => [
        siteLink(code, `./${code}`),
        `${errorCodes[code as keyof typeof errorCodes]}`,
      ]),
    ),
  examples: () =>
    [
      ...Object.entries(exampleTitles).map(([id, title]) => [id, title]),
      ...Object.entries(nodeExampleTitles).map(([id, title]) => [id, `${title} (Node.js only)`]),
    ]
      .map(([id, title]) => `- <a :href="'./${id}.html'">${title}</a>`)
      .join('\n'),
};

function codeOf(file: string, region: string | undefined): string {
  const code = readFileSync(file, 'utf8').trimEnd();
  if (!region) return code;
  const [, part] = new RegExp(`^// #region ${region}\\n(.*?)\\n// #endregion`, 'ms').exec(code) ?? [];
  if (part === undefined) throw new Error(`${file} has no region ${region}`);
  return part;
}
