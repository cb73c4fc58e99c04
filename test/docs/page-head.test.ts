import { expect, test } from 'vitest';
import { editUrl, previewTags } from '../../docs/.vitepress/page-head.js';

const page = { title: 'Rate limits', description: 'This page…', relativePath: 'guide/rate-limits.md' };

test('pages have an edit link only if package.json has a repository', () => {
  const repository = { url: 'git+https://code.example.com/acme/worktrack.git' };
  expect(editUrl({ version: '1.0.0', repository })).toBe(
    'https://code.example.com/acme/worktrack/edit/main/docs/:path',
  );
  expect(editUrl({ version: '1.0.0' })).toBeUndefined();
});

test('link previews have an image and a URL only if package.json has a homepage', () => {
  const contents = (homepage?: string) =>
    Object.fromEntries(
      previewTags({ version: '1.0.0', ...(homepage && { homepage }) }, page).map(([, attributes]) => [
        attributes.property ?? attributes.name ?? attributes.rel,
        attributes.content ?? attributes.href,
      ]),
    );
  expect(contents()).toEqual({ 'og:title': 'Rate limits', 'og:description': 'This page…' });
  expect(contents('https://docs.example.com/worktrack')).toMatchObject({
    canonical: 'https://docs.example.com/worktrack/guide/rate-limits.html',
    'og:url': 'https://docs.example.com/worktrack/guide/rate-limits.html',
    'og:image': 'https://docs.example.com/worktrack/social.png',
    'twitter:card': 'summary_large_image',
  });
});
