// Renders docs/public/social.png, the link preview image, from docs/.vitepress/social-image.svg.
//   tsx scripts/social-image.ts

import { readFile } from 'node:fs/promises';
import { root } from './entries.js';
import { launchChromium } from './support/chromium.js';

const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  const svg = await readFile(`${root}docs/.vitepress/social-image.svg`, 'utf8');
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  await page.screenshot({ path: `${root}docs/public/social.png` });
} finally {
  await browser.close();
}
