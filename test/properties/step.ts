import type fc from 'fast-check';
import { expect } from 'vitest';
import { type ApiResponse, rawApi } from '../rules/requests.js';
import type { Mock } from '../rules/world.js';
import { operations } from '../support/operations.js';
import { expectContract } from './contract-responses.js';
import {
  expectInvariants,
  expectInventory,
  expectNoOverload,
  expectNothingForeign,
  load,
  stateText,
} from './invariants.js';
import { expected, type ModelRequest } from './model/response.js';
import type { Model } from './model/state.js';
import type { Recipe } from './requests.js';

/** Counts results by operation, such as `tickets.move 422 wip_limit_reached`. */
export type Tally = Map<string, number>;

/** Advances the clock, sends a request to the server and the model, and compares the responses. */
export class Step implements fc.AsyncCommand<Model, Mock> {
  readonly #recipe: Recipe;
  readonly #operation: string;
  readonly #milliseconds: number;
  readonly #tally: Tally;
  #description = '';

  constructor(operation: string, milliseconds: number, recipe: Recipe, tally: Tally) {
    this.#tally = tally;
    this.#operation = operation;
    this.#milliseconds = milliseconds;
    this.#recipe = recipe;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, mock: Mock): Promise<void> {
    const request = this.#recipe(model);
    this.#description = describeRequest(request, this.#milliseconds);
    mock.clock.advance(this.#milliseconds);
    model.now += this.#milliseconds;
    const before = { text: stateText(mock), boards: load(mock) };
    const response = await send(mock, request);
    this.#description += ` -> ${response.status}`;
    const key = [
      request.operation,
      response.status,
      ...(response.body?.code ? [response.body.code] : []),
    ].join(' ');
    this.#tally.set(key, (this.#tally.get(key) ?? 0) + 1);

    expectAgreement(model, request, response);
    if (response.status >= 400)
      expect(stateText(mock), 'a rejected request changes nothing').toBe(before.text);
    expectNoOverload(before.boards, load(mock));
    expectInvariants(mock);
    expectInventory(mock, model);
    if (response.status >= 300) return;
    expectNothingForeign(model, request.token, JSON.stringify(response.body ?? null));
    expectContract(request.operation, response.data);
  }

  toString(): string {
    return this.#description || `${this.#operation} (not sent)`;
  }
}

/** Applies a request to the model and compares the responses. */
export function expectAgreement(
  model: Model,
  request: ModelRequest,
  { status, body, data }: Pick<ApiResponse, 'status' | 'body' | 'data'>,
): void {
  const expectation = expected(model, request, data ?? {});
  expect({ status, ...(body?.code && { code: body.code }) }).toEqual({
    status: expectation.status,
    ...(expectation.codes && { code: expect.toBeOneOf([...expectation.codes]) }),
  });
  if (expectation.codes) return;
  if (request.operation === 'tickets.list' || request.operation === 'documents.list') {
    // The links depend only on these numbers and are tested in test/rules/pagination.test.ts.
    const numbers = Object.keys(expectation.data as object).map((name) => [name, data[name]]);
    expect(Object.fromEntries(numbers)).toEqual(expectation.data);
  } else if (Array.isArray(data) && !request.operation.startsWith('boards.')) {
    // The specification doesn't define the order of members, labels, and tags.
    expect(byId(data)).toEqual(byId(expectation.data as { id: string }[]));
  } else expect(data).toEqual(expectation.data);
}

const byId = (records: readonly { id: string }[]) => [...records].sort((a, b) => (a.id < b.id ? -1 : 1));

function send(mock: Mock, { operation, token, ids, query = {}, body }: ModelRequest): Promise<ApiResponse> {
  const { method, path } = operations[operation];
  const text = `${new URLSearchParams(query)}`;
  const filled = path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? '');
  return rawApi(mock, token).send(method, text ? `${filled}?${text}` : filled, body);
}

const describeRequest = (
  { operation, token, ids, query, body }: ModelRequest,
  milliseconds: number,
): string =>
  [
    ...(milliseconds > 0 ? [`(${milliseconds} ms later)`] : []),
    `${token ?? 'nobody'}: ${operation}`,
    ...Object.values(ids),
    ...(query && Object.keys(query).length > 0 ? [JSON.stringify(query)] : []),
    ...(body === undefined ? [] : [JSON.stringify(body)]),
  ].join(' ');
