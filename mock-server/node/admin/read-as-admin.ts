import { decodeSegment } from '../../../src/wire/index.js';
import type { Space } from '../space.js';
import { AdminError } from './admin-error.js';

/**
 * Responds to `GET /organizations/{id}/api/v1/…`, which reads from the API with every scope. Tools can use it
 * to show the state without affecting tests. The journal doesn't record these requests, and no rate limit,
 * fault, or override applies to them.
 *
 * @param path the path after `/__admin`
 * @returns undefined for other paths
 */
export async function readAsAdmin(
  { mock }: Space,
  request: Request,
  path: string,
): Promise<Response | undefined> {
  const [, segment = '', rest = ''] = /^\/organizations\/([^/]+)(\/api\/.*)/.exec(path) ?? [];
  if (rest === '') return undefined;
  if (request.method !== 'GET') throw new AdminError(405, 'This admin route supports only GET.');
  const organization = decodeSegment(segment) ?? segment;
  if (!mock.state.organizations.get(organization)) {
    throw new AdminError(404, `No organization has the ID ${JSON.stringify(organization)}.`);
  }
  const { origin, search } = new URL(request.url);
  return mock.readAsAdmin(new Request(origin + rest + search), organization);
}
