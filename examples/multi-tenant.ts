// Serves several tenants with one client. Each tenant has its own credential, organization, and rate limit.
// If one tenant is rate-limited, the others aren't delayed.

import { type Hooks, PermissionDeniedError, RateLimitError, Worktrack } from 'worktrack';
import { createMockServer } from 'worktrack/mock-server';

const mock = createMockServer({
  world: {
    organizations: ['acme', 'globex'].map((name) => ({
      id: `org_${name}`,
      name,
      credentials: [{ token: `wt_${name}`, name: 'Service', scopes: ['projects:read', 'projects:write'] }],
    })),
  },
});

const hooks: Hooks = {
  // `context` identifies the tenant. It isn't sent to the server.
  response: ({ context, operation, status }) => console.log(`${context}: ${operation} ${status}`),
};
// Calls without a tenant fail, because the shared client has no token and no organization.
const shared = new Worktrack({
  baseUrl: mock.clientOptions().baseUrl,
  fetch: mock.fetch,
  hooks,
  // These limits apply to each credential, and `total` applies to all credentials together.
  throttle: { requestsPerMinute: 600, concurrency: 4, total: { concurrency: 20 } },
  retry: { maxRetryAfter: 0 },
});

/** Returns the client for a tenant. It shares connections and limits, so it's cheap to create per request. */
const forTenant = (name: string) =>
  shared.withOptions({ token: `wt_${name}`, organization: `org_${name}`, context: name });

const create = (name: string) =>
  forTenant(name).projects.create({ name: `${name} launch`, key: name.slice(0, 3).toUpperCase() });
const acmeProject = await create('acme');
await create('globex');

mock.faults.add({ credential: 'wt_acme', status: 429, retryAfter: 60, times: 1 });
const results = await Promise.allSettled(
  ['acme', 'globex'].map(async (name) =>
    (await forTenant(name).projects.list()).map((project) => project.name),
  ),
);
for (const result of results) {
  if (result.status === 'fulfilled') console.log(`Found ${result.value.join(', ')}.`);
  else if (result.reason instanceof RateLimitError) console.log(`Wait ${result.reason.retryAfter} s.`);
  else throw result.reason;
}

// A tenant can't read another tenant's records, even if the service mixes up their IDs.
try {
  await forTenant('globex').projects.get(acmeProject.id);
} catch (error) {
  if (!(error instanceof PermissionDeniedError)) throw error;
  console.log(`globex can't read it: ${error.code}`);
}
