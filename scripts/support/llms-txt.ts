import { readFileSync } from 'node:fs';
import { userPages } from '../../docs/.vitepress/navigation.js';
import { descriptionOf } from '../../docs/.vitepress/page-head.js';

/**
 * Returns the content of `llms.txt` (https://llmstxt.org), which describes the package and each page.
 *
 * @param base the site's base path, with a trailing slash
 */
export function llmsText(site: string, base: string): string {
  const { description } = JSON.parse(readFileSync(`${site}/../package.json`, 'utf8')) as {
    description: string;
  };
  const sections = userPages.map(({ text, pages }) =>
    [
      `## ${text}`,
      Object.entries(pages)
        .map(([link, title]) => pageLine(link, title, base))
        .join('\n'),
    ].join('\n\n'),
  );
  return `${['# worktrack', `> ${description}`, ...sections].join('\n\n')}\n`;
}

function pageLine(link: string, title: string, base: string): string {
  const page = link.slice(1).replace(/(^|\/)$/, '$1index');
  return `- [${title}](${base}${page}.html): ${descriptionOf(`${page}.md`)}`;
}
