/** The GET and POST calls to measure for a client. */
export interface Client {
  GET: () => Promise<unknown>;
  POST: () => Promise<unknown>;
}

/** Clients for other APIs, with their default options. */
export const sdks: Record<string, (url: string) => Promise<Client>> = {
  '`openai`': async (url) => {
    const { default: OpenAI } = await load<OpenAIModule>('openai');
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk_bench' });
    return {
      GET: () => client.models.retrieve('tkt_1'),
      POST: () => client.vectorStores.create({ name: 'Launch', description: 'brd_1' }),
    };
  },
  '`stripe` with `fetch`': (url) => stripe(url, 'createFetchHttpClient'),
  '`stripe` with `node:http`': (url) => stripe(url, 'createNodeHttpClient'),
};

async function stripe(
  url: string,
  httpClient: 'createFetchHttpClient' | 'createNodeHttpClient',
): Promise<Client> {
  const { default: Stripe } = await load<StripeModule>('stripe');
  const { hostname: host, port } = new URL(url);
  const client = new Stripe('sk_bench', { host, port, protocol: 'http', httpClient: Stripe[httpClient]() });
  return {
    GET: () => client.customers.retrieve('tkt_1'),
    POST: () => client.customers.create({ name: 'Launch', description: 'brd_1' }),
  };
}

/** Imports a peer package. The name isn't a literal, so the code compiles without the package. */
export const load = <Module>(name: string): Promise<Module> => import(name);

export interface OpenAIModule {
  default: new (options: {
    baseURL: string;
    apiKey: string;
    fetch?: typeof fetch;
  }) => {
    models: { retrieve(id: string): Promise<unknown> };
    vectorStores: { create(body: object): Promise<unknown> };
    files: { list(query: { limit: number }): AsyncIterable<{ id: string }> };
  };
}

interface StripeModule {
  default: {
    new (
      key: string,
      options: { host: string; port: string; protocol: 'http'; httpClient: unknown },
    ): {
      customers: { retrieve(id: string): Promise<unknown>; create(body: object): Promise<unknown> };
    };
    createFetchHttpClient(): unknown;
    createNodeHttpClient(): unknown;
  };
}
