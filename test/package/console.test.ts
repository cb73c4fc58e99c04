import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { project } from './support/project.js';

const folder = join(inject('home'), 'node_modules/worktrack/dist/console');
const read = (path: string) => readFileSync(join(folder, path));
const assets = readdirSync(join(folder, 'assets'));

test('the installed package serves the console', () => {
  const { run } = project({
    'main.mjs': `
      import { listen } from 'worktrack/mock-server/node';
      const server = await listen();
      const page = await fetch(server.url + '/__admin/', { headers: { accept: 'text/html' } });
      const [, script] = /src="\\.\\/([^"]+)"/.exec(await page.text());
      const asset = await fetch(server.url + '/__admin/' + script);
      console.log(page.status, asset.status, asset.headers.get('content-type'));
      await server.close();`,
  });
  expect(run('main.mjs').output.trim()).toBe('200 200 text/javascript; charset=utf-8');
});

test('the console is at most 120 kB gzipped', () => {
  const sizes = ['index.html', ...assets.map((name) => `assets/${name}`)].map(
    (path) => gzipSync(read(path)).length,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000);
});

test('asset names contain a hash, and the page has no inline scripts or styles', () => {
  expect(assets.length).toBeGreaterThan(1);
  for (const name of assets) expect(name).toMatch(/^[\w-]+-[\w-]{8}\.(js|css|svg)$/);
  const page = read('index.html').toString();
  expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)|https?:\/\//);
});

test('the console includes the licenses of its bundled packages', () => {
  const licenses = read('licenses.txt').toString();
  for (const name of ['@vue/runtime-core', 'ky', 'zod'])
    expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
});
