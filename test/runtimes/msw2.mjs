// Tests every API rule with MSW 2 in Node.js, using both `getResponse` and intercepted `fetch` calls.
import { deepStrictEqual } from 'node:assert';
import { getResponse } from 'msw';
import { setupServer } from 'msw/node';
import { formatText, runConformance } from 'worktrack/conformance';
import { createMockServer } from 'worktrack/mock-server';

const direct = createMockServer();
const expected = await transcript(direct, { fetch: direct.fetch });

const handled = createMockServer();
const respond = async (input, init) =>
  (await getResponse([...handled.handlers], new Request(input, init))) ?? Response.error();
deepStrictEqual(await transcript(handled, { fetch: respond }), expected);

const intercepted = createMockServer();
const server = setupServer(...intercepted.handlers);
server.listen({ onUnhandledRequest: 'error' });
deepStrictEqual(await transcript(intercepted, {}), expected);
server.close();
console.log('passed');

/** Returns a conformance run's requests and responses without the server's URL. */
async function transcript(mock, transport) {
  const options = { ...mock.clientOptions(), ...transport };
  const { token } = mock.credentials.add({ scopes: [] });
  const lines = [];
  const report = await runConformance({
    ...options,
    limitedCredential: { token, scopes: [] },
    includeOptional: true,
    onExchange: (request, status, body) =>
      lines.push(`${request} ${status} ${body.replaceAll(options.baseUrl, '')}`),
  });
  if (!/ 0 failed, 0 not checkable$/.test(formatText(report))) throw new Error(formatText(report));
  return lines;
}
