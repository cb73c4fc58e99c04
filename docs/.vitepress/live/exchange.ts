/** One request and its response, without the credential. */
export interface Exchange {
  /** Unique on the page, and used as a list key. */
  number: number;
  method: string;
  /** Path and query. */
  target: string;
  requestBody: string;
  /** 0 if no response arrived. */
  status: number;
  responseBody: string;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

let count = 0;

/** Returns the number of the next exchange. */
export function nextNumber(): number {
  count += 1;
  return count;
}

/** Wraps `fetch` and reports every exchange. A request without a response has status 0. */
export const recordingFetch =
  (inner: Fetch, report: (exchange: Exchange) => void): Fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const sent = {
      number: nextNumber(),
      method: request.method,
      target: pathname + search,
      requestBody: pretty(await request.clone().text()),
    };
    try {
      const response = await inner(request);
      report({ ...sent, status: response.status, responseBody: pretty(await response.clone().text()) });
      return response;
    } catch (error) {
      report({ ...sent, status: 0, responseBody: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };

/** Indents JSON, and returns other text unchanged. */
function pretty(text: string): string {
  try {
    return text && JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
