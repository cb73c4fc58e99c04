/** One request and its answer, as they went over the wire; the credential is left out. */
export interface Exchange {
  /** Counts up in the page, so that a list of exchanges has keys. */
  number: number;
  method: string;
  /** Path and query, below the host. */
  target: string;
  body: string;
  status: number;
  answer: string;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

let told = 0;

/** A `fetch` that tells of every exchange; what no answer comes to is told with status 0. */
export const recordingFetch =
  (inner: Fetch, tell: (exchange: Exchange) => void): Fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    told += 1;
    const asked = {
      number: told,
      method: request.method,
      target: pathname + search,
      body: pretty(await request.clone().text()),
    };
    try {
      const response = await inner(request);
      tell({ ...asked, status: response.status, answer: pretty(await response.clone().text()) });
      return response;
    } catch (error) {
      tell({ ...asked, status: 0, answer: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  };

/** JSON over several lines; other text as it is. */
function pretty(text: string): string {
  try {
    return text && JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
