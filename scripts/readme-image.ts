// Renders docs/public/console.png, the picture in the README: the web console after a rejected move. Needs a build
// (`npm run build`).
//   tsx scripts/readme-image.ts

import { apolloNow, apolloWorld } from '../docs/.vitepress/content/world.js';
import { listen } from '../mock-server/node/index.js';
import { Worktrack } from '../src/index.js';
import { root } from './entries.js';
import { launchChromium } from './support/chromium.js';

const server = await listen({ world: apolloWorld, now: apolloNow });
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: 1120, height: 600 } });
  await page.goto(`${server.url}/__admin/`);
  await page.waitForSelector('.console[data-connection="live"]');
  const client = new Worktrack(server.clientOptions());
  await client.tickets.list('prj_apollo');
  await client.tickets.move('tkt_radio', { board_id: 'brd_review' });
  await client.tickets.move('tkt_manual', { board_id: 'brd_review' }).catch(() => {});
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${root}docs/public/console.png` });
} finally {
  await browser.close();
  await server.close();
}
