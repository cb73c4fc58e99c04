import { decodeSegment } from '../../../src/wire/index.js';
import type { Space } from '../space.js';
import { AdminError } from './admin-error.js';

/**
 * Responds to `GET /organizations/{id}/api/v1/…`: reads the API with every scope, and without a trace. No journal
 * entry, rate limit, fault or override keeps a tool from showing the state, or shows a test that a tool is open.
 *
 * @param path the path below the admin prefix
 * @returns undefined for other paths
 */
export async function readAsConsole(
  { mock }: Space,
  request: Request,
  path: string,
): Promise<Response | undefined> {
  const [, segment = '', rest = ''] = /^\/organizations\/([^/]+)(\/api\/.*)$/.exec(path) ?? [];
  if (rest === '') return undefined;
  if (request.method !== 'GET') throw new AdminError(405, 'This admin route takes GET.');
  const organization = decodeSegment(segment) ?? '';
  if (!mock.state.organizations.get(organization)) {
    throw new AdminError(404, `There is no organization ${JSON.stringify(organization)}.`);
  }
  const { origin, search } = new URL(request.url);
  const { headers, signal } = request;
  return mock.readUnobserved(new Request(origin + rest + search, { headers, signal }), organization);
}
