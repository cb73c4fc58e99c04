// Creates a ticket for each order, and records the orders in the file whose path is in ORDERS. It has a bug:
// it records an order before the ticket exists, so the order is lost if the program crashes in between.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { WORKTRACK_BASE_URL, WORKTRACK_TOKEN, WORKTRACK_RUN_DIR, ORDERS } = process.env;
const file = ORDERS ?? join(WORKTRACK_RUN_DIR, 'orders.txt');
const url = `${WORKTRACK_BASE_URL}/api/v1/projects/prj_apollo`;
const headers = { authorization: `Bearer ${WORKTRACK_TOKEN}`, 'content-type': 'application/json' };

await fetch(url, { headers });
const noted = existsSync(file) ? readFileSync(file, 'utf8') : '';
for (const title of ['Order 1', 'Order 2']) {
  if (noted.includes(title)) continue;
  appendFileSync(file, `${title}\n`);
  const body = JSON.stringify({ board_id: 'brd_todo', title });
  const response = await fetch(`${url}/tickets`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`status ${response.status}`);
}
