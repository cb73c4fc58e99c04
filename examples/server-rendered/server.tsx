import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { serve } from 'srvx';
import { incoming } from './client.js';
import { routes } from './routes.js';

const { query, dataRoutes } = createStaticHandler(routes);

async function respond(request: Request): Promise<Response> {
  const context = await query(request);
  if (context instanceof Response) return context;
  const router = createStaticRouter(dataRoutes, context);
  const html = renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />);
  return new Response(`<!doctype html>${html}`, {
    status: context.statusCode,
    headers: { 'content-type': 'text/html' },
  });
}

const server = serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT ?? 3000),
  silent: true,
  fetch: (request) => incoming.run(request, () => respond(request)),
});
await server.ready();
console.log(`ready at ${server.url}`);
