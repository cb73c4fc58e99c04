import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HeadConfig } from 'vitepress';

/** The package.json fields the site uses. */
export interface Manifest {
  version: string;
  repository?: { url: string };
  /** The URL of the documentation site. */
  homepage?: string;
}

/**
 * Returns the URL for editing a page, with a `:path` placeholder. Undefined if package.json doesn't specify
 * a repository.
 */
export function editUrl({ repository }: Manifest): string | undefined {
  return repository && `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/edit/main/docs/:path`;
}

/** Returns tags for link previews. Tags with URLs require `homepage`, because the URLs must be absolute. */
export function previewTags({ homepage }: Manifest, page: PreviewedPage): HeadConfig[] {
  const tags: HeadConfig[] = [
    ['meta', { property: 'og:title', content: page.title }],
    ['meta', { property: 'og:description', content: page.description }],
  ];
  if (homepage === undefined) return tags;
  const absolute = (path: string) => new URL(path, homepage.replace(/\/?$/, '/')).href;
  const url = absolute(page.relativePath.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html'));
  return [
    ...tags,
    ['link', { rel: 'canonical', href: url }],
    ['meta', { property: 'og:url', content: url }],
    ['meta', { property: 'og:image', content: absolute('social.png') }],
    ['meta', { property: 'og:image:alt', content: 'worktrack: catch API errors in your tests' }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ];
}

interface PreviewedPage {
  title: string;
  description: string;
  relativePath: string;
}

const docs = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the description in a page's frontmatter. Without a description, returns the first paragraph as
 * plain text.
 */
export function descriptionOf(relativePath: string): string {
  const page = readFileSync(docs + relativePath, 'utf8');
  const [, description] = /^---\n.*?^description: (.*?)$.*?^---$/ms.exec(page) ?? [];
  if (description) return description;
  const source = page.replace(/^---\n.*?\n---\n/s, '').replace(/<script.*?<\/script>|<!--.*?-->/gs, '');
  const paragraph = source
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[A-Z`[]/.test(block) && !block.startsWith('```'));
  const text = (paragraph ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ');
  return text.length > 160 ? `${text.slice(0, 157).replace(/\s\S*$/, '')}…` : text;
}
