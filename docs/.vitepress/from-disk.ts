/**
 * Makes a page readable when it's opened from disk. Absolute URLs such as `/assets/style.css` don't work there, so
 * a script makes the URLs of styles and links relative. Search, live examples, and the playground still don't
 * work, because browsers don't load modules from disk.
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
