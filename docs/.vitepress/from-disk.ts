/**
 * Makes a page readable that is opened from disk, where a browser loads no modules and an address
 * such as `/assets/style.css` leads nowhere: styles and links are pointed at the files beside it.
 * What needs modules (search, live examples, the playground) says that it needs `npm run docs`.
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
