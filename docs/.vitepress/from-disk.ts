/**
 * Makes a page readable if it is opened from disk. There, browsers don't load modules, and a URL such as
 * `/assets/style.css` doesn't exist, so a script points styles and links at the files in the folder.
 * The search, live examples, and the playground need modules, and tell the reader to run `npm run docs`.
 */
export function readableFromDisk(html: string, page: string, base: string): string {
  const root = '../'.repeat(page.split('/').length - 1) || './';
  return html.replace('<head>', `<head><script>(${script})(${JSON.stringify(root)},${base.length})</script>`);
}

const script = `function (root, skip) {
  if (location.protocol !== 'file:') return;
  document.documentElement.classList.add('from-disk');
  document.addEventListener('DOMContentLoaded', function () {
    document.querySelectorAll('a[href^="/"], link[rel~="stylesheet"][href^="/"]').forEach(function (element) {
      var parts = element.getAttribute('href').slice(skip).split('#');
      if (/(^|\\/)$/.test(parts[0])) parts[0] += 'index.html';
      element.setAttribute('href', root + parts.join('#'));
    });
  });
}`.replace(/\n\s*/g, ' ');
