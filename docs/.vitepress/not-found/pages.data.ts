import { createContentLoader } from 'vitepress';

/** The title and path of each page, for suggestions. */
export interface SitePage {
  title: string;
  path: string;
}

declare const data: SitePage[];

export { data };

export default createContentLoader('**/*.md', {
  includeSrc: true,
  transform: (pages): SitePage[] =>
    pages.map(({ url, src, frontmatter }) => ({
      title: frontmatter.title ?? titleOf(src) ?? url,
      path: url,
    })),
});

/** Returns the text of the first heading. */
function titleOf(source = ''): string | undefined {
  return /^# (.*)$/m
    .exec(source)?.[1]
    ?.replace(/[\\`]|\(\)$/g, '')
    .replace(/^(Class|Interface|Function|Variable|Type Alias): /, '');
}
