import { format } from 'node:util';
import { launchChromium } from '../../../tools/support/chromium.js';
import { serveFolder } from '../../../tools/support/serve-folder.js';

/**
 * Waits until a page's title is `done` and returns the console output as Node.js would format it.
 *
 * @throws Error if the page throws
 */
export async function printedByPage(folder: string): Promise<string> {
  const browser = await launchChromium();
  const { url, server } = await serveFolder(folder);
  try {
    const page = await browser.newPage();
    const printed: unknown[][] = [];
    const problems: string[] = [];
    await page.exposeFunction('printed', (text: string) => printed.push(JSON.parse(text)));
    await page.addInitScript('console.log = (...values) => printed(JSON.stringify(values))');
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(url);
    await page
      .waitForFunction('document.title === "done"', undefined, { timeout: 20_000 })
      .catch((error) => problems.push(error.message));
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return printed.map((values) => `${format(...values)}\n`).join('');
  } finally {
    await browser.close();
    server.close();
  }
}
