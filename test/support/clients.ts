import { type ClientOptions, Worktrack } from 'worktrack';
import type { MockServer } from 'worktrack/mock-server';

/** Connects a client to a mock server. */
export const connect = (mock: MockServer, options: Partial<ClientOptions> = {}) =>
  new Worktrack({ ...mock.clientOptions(), fetch: mock.fetch, logLevel: 'off', ...options });

/** Connects a client that doesn't validate responses, and changes the text of each response. */
export const connectRewriting = (mock: MockServer, rewrite: (text: string) => string) =>
  connect(mock, {
    responseValidation: 'off',
    fetch: async (...args) => {
      const response = await mock.fetch(...args);
      return new Response(rewrite(await response.text()), response);
    },
  });

/** Makes a server omit a field from lists, as some deployments do. */
export function omitFromList(
  mock: MockServer,
  operation: 'tickets.list' | 'documents.list',
  field: string,
): void {
  mock.override(operation, async (_, next) => {
    const { items, total } = await next();
    return { items: items.map((item) => ({ ...item, [field]: undefined })) as never, total };
  });
}
