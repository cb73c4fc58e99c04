import type { Fault, RecordedRequest } from 'worktrack/mock-server';

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
    return this.send('GET', path) as Promise<Data>;
  }

  /** @returns the response data, or undefined for a 204 response */
  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<unknown> {
    const response = await this.open(path, { method, ...(body && { body: JSON.stringify(body) }) });
    if (response.status === 204) return undefined;
    return ((await response.json()) as { data: unknown }).data;
  }

  /** @throws {@link AdminApiError} */
  async open(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = this.#token === '' ? new Headers() : headersWith(this.#token);
    let response: Response;
    try {
      response = await fetch(`${this.baseUrl}/__admin${path}`, { ...init, headers });
    } catch {
      throw new AdminApiError(0, 'Can’t connect to the server.');
    }
    if (!response.ok) throw new AdminApiError(response.status, await messageOf(response));
    return response;
  }
}

/** A header can't contain some characters, such as curly quotes, so a token with such characters is wrong. */
function headersWith(token: string): Headers {
  try {
    return new Headers({ authorization: `Bearer ${token}` });
  } catch {
    throw new AdminApiError(401, 'The token contains invalid characters.');
  }
}

async function messageOf(response: Response): Promise<string> {
  try {
    return ((await response.json()) as { message: string }).message;
  } catch {
    return `The server responded with status ${response.status}.`;
  }
}

export interface ServerEvent {
  name: string;
  data: unknown;
}

/**
 * Yields a space's events until the connection closes. Uses `fetch` because `EventSource` can't send the
 * admin token.
 *
 * @throws {@link AdminApiError} if the server rejects the request or can't be reached
 */
export async function* readEvents(api: AdminApi, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const response = await api.open('/events', { signal });
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += value;
      const blocks = buffer.split('\n\n');
      buffer = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } catch {
    // If the connection is lost, the stream ends without an error.
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** @returns undefined for a comment, which only keeps the connection open */
function parseEvent(block: string): ServerEvent | undefined {
  const name = /^event: (.*)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1];
  return name === undefined || data === undefined ? undefined : { name, data: JSON.parse(data) };
}

/** A journal entry, as returned by the admin routes. JSON omits undefined fields. */
export type JournalEntry = Partial<RecordedRequest> &
  Pick<RecordedRequest, 'id' | 'method' | 'url' | 'status' | 'at' | 'duration'> & {
    /** `true` if the body was too large to include in the event. */
    bodyOmitted?: true;
    /**
     * Set if the request seems to be a retry: the ID of the first request, and the number of this attempt.
     */
    retry?: { of: string; attempt: number };
  };

export interface ClockView {
  now: string;
  frozen: boolean;
}

/** An active fault. `count` is the number of requests the fault has affected. */
export type ActiveFault = Fault & { id: string; count: number };

/** The number of requests each credential can send per window. `window` is in milliseconds. */
export type RateLimitView = { limit: number; window: number } | null;

export interface FaultsView {
  faults: ActiveFault[];
  rateLimit: RateLimitView;
}
