import type { MockServer } from '../../mock-server/index.js';
import { affects, type ExploredRequest, effects, type Failure, type FailureKind } from './failures.js';
import {
  type Interference,
  type InterferenceKind,
  interfere,
  interferenceHeader,
  interferenceKinds,
  interferencesWith,
  type TouchedRecord,
} from './interference.js';

/** The abort reason of a process that crashed. */
export const crashed = Symbol('crashed');

type Intercepted = Parameters<Parameters<MockServer['intercept']>[0]>;

/** Makes requests fail as planned for a run, and records all requests. */
export class Injector {
  readonly requests: ExploredRequest[] = [];
  /** The possible kinds of interference after each request. Undefined if they aren't needed. */
  readonly interferences: (readonly InterferenceKind[])[] | undefined;
  /** The latest change by another user. */
  interference: Interference | undefined;
  /** The failures that haven't happened yet. */
  readonly pending: Failure[];
  readonly remove: () => void;
  readonly #mock: MockServer;
  readonly #lasting: Failure[] = [];
  readonly #counts = new Map<string, number>();
  readonly #maxRequests: number;
  #process = new AbortController();

  constructor(
    mock: MockServer,
    failures: readonly Failure[],
    { maxRequests, interferes }: { maxRequests: number; interferes: boolean },
  ) {
    this.#mock = mock;
    this.pending = [...failures];
    this.#maxRequests = maxRequests;
    this.interferences = interferes ? [] : undefined;
    this.remove = mock.intercept((...intercepted) => this.#handle(...intercepted));
  }

  /**
   * Starts the process that runs the workflow. After it's aborted, its requests receive no response.
   *
   * @returns the process's controller and its own `fetch` function
   */
  startProcess(): { process: AbortController; fetch: typeof globalThis.fetch } {
    const process = new AbortController();
    this.#process = process;
    const fetch: typeof globalThis.fetch = (...input) =>
      process.signal.aborted ? never() : this.#mock.fetch(...input);
    return { process, fetch };
  }

  async #handle(...[intercepted, respond]: Intercepted): Promise<Response> {
    if (intercepted.headers.has(interferenceHeader)) return respond();
    // Remember the process that sent the request, because another one may be running when the response
    // arrives.
    const process = this.#process;
    if (process.signal.aborted) return never();
    const response = await this.#respond(intercepted, respond, process);
    return process.signal.aborted ? never() : response;
  }

  async #respond(
    { operation, params }: Intercepted[0],
    respond: Intercepted[1],
    process: AbortController,
  ): Promise<Response> {
    const nth = this.#counts.get(operation) ?? 0;
    this.#counts.set(operation, nth + 1);
    const request: ExploredRequest = { index: this.requests.length, operation, nth };
    this.requests.push(request);
    if (this.requests.length > this.#maxRequests) {
      process.abort(new EndlessRunError(`the workflow sent more than ${this.#maxRequests} requests`));
      return never();
    }
    const failure = this.#failureOf(request);
    if (failure?.kind === 'crash_before') {
      process.abort(crashed);
      return never();
    }
    const response = await respond(failure && effects[failure.kind]);
    if (failure?.kind === 'crash_after') process.abort(crashed);
    if (this.interferences || (failure && isInterference(failure.kind))) {
      const touched = await touchedRecord(this.#mock, params, response);
      if (this.interferences) this.interferences[request.index] = touched ? interferencesWith(touched) : [];
      if (touched && failure && isInterference(failure.kind)) {
        this.interference = await interfere(this.#mock, failure.kind, touched);
      }
    }
    return response;
  }

  #failureOf(request: ExploredRequest): Failure | undefined {
    const [next] = this.pending;
    if (next?.request.operation === request.operation && next.request.nth === request.nth) {
      this.pending.shift();
      this.#lasting.push(next);
      return next;
    }
    return this.#lasting.find((failure) => affects(failure, request));
  }
}

/** Thrown if the workflow doesn't finish. */
export class EndlessRunError extends Error {
  override name = 'EndlessRunError';
}

const never = (): Promise<never> => new Promise(() => {});

export const isInterference = (kind: FailureKind): kind is InterferenceKind =>
  (interferenceKinds as readonly string[]).includes(kind);

/**
 * Finds the ticket or document that a request created, read, or changed. For lists, returns the first item.
 */
async function touchedRecord(
  { state }: MockServer,
  params: Readonly<Record<string, string>>,
  response: Response,
): Promise<TouchedRecord | undefined> {
  const body = await response
    .clone()
    .json()
    .catch(() => undefined);
  const data = body?.data?.data ?? body?.data;
  const id = params.ticket ?? params.document ?? [data].flat()[0]?.id ?? '';
  const ticket = state.tickets.get(id);
  if (ticket) return { ticket };
  const document = state.documents.get(id);
  return document && { document };
}
