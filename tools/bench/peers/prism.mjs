// Runs Prism with this API's OpenAPI document. Prism doesn't store records, so it returns an example page.
import { readFileSync } from 'node:fs';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

const ticket = JSON.parse(process.argv[3]);
const document = JSON.parse(
  readFileSync(new URL('../../../docs/public/openapi.json', import.meta.url), 'utf8'),
);
const page = document.paths['/projects/{project}/tickets'].get.responses['200'].content['application/json'];
page.example.data.data = Array.from({ length: 50 }, (_, index) => ({ ...ticket, id: `tkt_${index}` }));

const logger = Object.fromEntries(
  ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'success'].map((level) => [level, () => {}]),
);
logger.child = () => logger;
// Use the same options as Prism's CLI, but without request logging.
const server = createServer(await getHttpOperationsFromSpec(document), {
  components: { logger },
  cors: true,
  config: {
    mock: { dynamic: false },
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    errors: false,
    isProxy: false,
  },
});
const url = await server.listen(0, '127.0.0.1');
process.send?.({ url: `${url}/projects/prj_apollo/tickets?per_page=50` });
process.on('disconnect', () => process.exit());
