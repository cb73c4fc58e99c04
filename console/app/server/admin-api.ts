/** An error response from an admin route. The status is 0 if no response arrived. */
export class AdminApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'AdminApiError';
    this.status = status;
  }
}

/** Sends requests to a space's admin routes. */
export class AdminApi {
  /** The space's URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.#token = token;
  }

  get<Data>(path: string): Promise<Data> {
    return this.#send('GET', path) as Promise<Data>;
  }

  /** @returns the response data, or undefined for a 204 response */
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    return this.#send(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** Sends a pre-serialized JSON body. */
  sendText(method: 'POST', path: string, json: string): Promise<unknown> {
    return this.#send(method, path, json);
  }

  /** @throws {@link AdminApiError} */
  async open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` };
    let response: Response;
    try {
      response = await fetch(`${this.baseUrl}/__admin${path}`, { ...init, headers });
    } catch {
      throw new AdminApiError(0, 'Can’t connect to the server.');
    }
    if (!response.ok) throw new AdminApiError(response.status, await messageOf(response));
    return response;
  }

  async #send(method: string, path: string, body?: string): Promise<unknown> {
    const response = await this.open(path, { method, ...(body !== undefined && { body }) });
    if (response.status === 204) return undefined;
    return ((await response.json()) as { data: unknown }).data;
  }
}

async function messageOf(response: Response): Promise<string> {
  try {
    return ((await response.json()) as { message: string }).message;
  } catch {
    return `The server responded with status ${response.status}.`;
  }
}
