import ky from 'ky';
import { expect, it } from 'vitest';
import { serve } from './support/serve.js';

// If this test fails, the reason for the client's own retry loop may be gone (docs/decisions.md).
it("ky doesn't retry a read whose body is cut off, but the client does", async () => {
  const { origin, seen, client } = await serve((out, _, index) => {
    if (index === 1) return void out.end('{"data":{"id":"t"}}');
    out.writeHead(200, { 'content-length': 500 }).write('{"data":', () => out.destroy());
  });
  await expect(ky(origin, { retry: { limit: 2, retryOnTimeout: true } }).json()).rejects.toThrow();
  expect(seen).toHaveLength(1);
  expect(await client().tickets.get('t').withResponse()).toMatchObject({ data: { id: 't' }, attempts: 1 });
});
